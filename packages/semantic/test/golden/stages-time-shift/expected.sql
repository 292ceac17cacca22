WITH "stage rows" AS (
  SELECT
    date_trunc('month', CAST((CAST("orders".created_at AS TIMESTAMP) + 1 * INTERVAL '1 month') AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  WHERE ("orders".created_at >= CAST($1 AS TIMESTAMP) AND "orders".created_at <= CAST($2 AS TIMESTAMP)) AND ((CAST("orders".created_at AS TIMESTAMP) + 1 * INTERVAL '1 month') >= CAST($3 AS TIMESTAMP) AND (CAST("orders".created_at AS TIMESTAMP) + 1 * INTERVAL '1 month') <= CAST($4 AS TIMESTAMP))
  GROUP BY 1
),
"stage rows_2" AS (
  SELECT
    date_trunc('month', CAST(((CAST("orders".created_at AS TIMESTAMP) + 1 * INTERVAL '1 month') + 1 * INTERVAL '1 month') AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__revenue_part_2"
  FROM orders AS "orders"
  WHERE ("orders".created_at >= CAST($5 AS TIMESTAMP) AND "orders".created_at <= CAST($6 AS TIMESTAMP)) AND (((CAST("orders".created_at AS TIMESTAMP) + 1 * INTERVAL '1 month') + 1 * INTERVAL '1 month') >= CAST($7 AS TIMESTAMP) AND ((CAST("orders".created_at AS TIMESTAMP) + 1 * INTERVAL '1 month') + 1 * INTERVAL '1 month') <= CAST($8 AS TIMESTAMP))
  GROUP BY 1
),
"stage rows_3" AS (
  SELECT
    date_trunc('month', CAST((CAST("orders".created_at AS TIMESTAMP) + 12 * INTERVAL '1 month') AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__revenue_part_3"
  FROM orders AS "orders"
  WHERE ("orders".created_at >= CAST($9 AS TIMESTAMP) AND "orders".created_at <= CAST($10 AS TIMESTAMP)) AND ((CAST("orders".created_at AS TIMESTAMP) + 12 * INTERVAL '1 month') >= CAST($11 AS TIMESTAMP) AND (CAST("orders".created_at AS TIMESTAMP) + 12 * INTERVAL '1 month') <= CAST($12 AS TIMESTAMP))
  GROUP BY 1
),
"stage rows_4" AS (
  SELECT
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__revenue_part_4"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($13 AS TIMESTAMP) AND "orders".created_at <= CAST($14 AS TIMESTAMP)
  GROUP BY 1
),
"stage revenue_month_ago" AS (
  SELECT
    "stage rows"."orders__created_at_month" AS "orders__created_at_month",
    "stage rows"."orders__revenue_part" AS "orders__revenue_month_ago_part"
  FROM "stage rows" AS "stage rows"
),
"stage revenue_month_ago_2" AS (
  SELECT
    "stage rows_2"."orders__created_at_month" AS "orders__created_at_month",
    "stage rows_2"."orders__revenue_part_2" AS "orders__revenue_month_ago_part_2"
  FROM "stage rows_2" AS "stage rows_2"
),
"stage two_months_ago" AS (
  SELECT
    "stage revenue_month_ago_2"."orders__created_at_month" AS "orders__created_at_month",
    "stage revenue_month_ago_2"."orders__revenue_month_ago_part_2" AS "orders__two_months_ago_part"
  FROM "stage revenue_month_ago_2" AS "stage revenue_month_ago_2"
),
"stage revenue_year_ago" AS (
  SELECT
    "stage rows_3"."orders__created_at_month" AS "orders__created_at_month",
    "stage rows_3"."orders__revenue_part_3" AS "orders__revenue_year_ago_part"
  FROM "stage rows_3" AS "stage rows_3"
)
SELECT
  "groups"."orders__created_at_month" AS "orders__created_at_month",
  "stage rows_4"."orders__revenue_part_4" AS "orders__revenue",
  "stage revenue_month_ago"."orders__revenue_month_ago_part" AS "orders__revenue_month_ago",
  "stage two_months_ago"."orders__two_months_ago_part" AS "orders__two_months_ago",
  "stage rows_4"."orders__revenue_part_4" - "stage revenue_month_ago"."orders__revenue_month_ago_part" AS "orders__month_over_month",
  "stage revenue_year_ago"."orders__revenue_year_ago_part" AS "orders__revenue_year_ago"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_4"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage rows_4" AS "stage rows_4"
    UNION ALL
    SELECT
      "stage revenue_month_ago"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage revenue_month_ago" AS "stage revenue_month_ago"
    UNION ALL
    SELECT
      "stage two_months_ago"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage two_months_ago" AS "stage two_months_ago"
    UNION ALL
    SELECT
      "stage revenue_year_ago"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage revenue_year_ago" AS "stage revenue_year_ago"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_4" AS "stage rows_4" ON "groups"."orders__created_at_month" = "stage rows_4"."orders__created_at_month"
LEFT JOIN "stage revenue_month_ago" AS "stage revenue_month_ago" ON "groups"."orders__created_at_month" = "stage revenue_month_ago"."orders__created_at_month"
LEFT JOIN "stage two_months_ago" AS "stage two_months_ago" ON "groups"."orders__created_at_month" = "stage two_months_ago"."orders__created_at_month"
LEFT JOIN "stage revenue_year_ago" AS "stage revenue_year_ago" ON "groups"."orders__created_at_month" = "stage revenue_year_ago"."orders__created_at_month"
WHERE "stage two_months_ago"."orders__two_months_ago_part" IS NULL
ORDER BY 1 ASC NULLS LAST
LIMIT $15
-- ["2023-11-26T00:00:00.000","2024-12-05T23:59:59.999","2024-01-01T00:00:00.000","2024-12-31T23:59:59.999","2023-10-21T00:00:00.000","2024-11-10T23:59:59.999","2024-01-01T00:00:00.000","2024-12-31T23:59:59.999","2022-12-27T00:00:00.000","2024-01-05T23:59:59.999","2024-01-01T00:00:00.000","2024-12-31T23:59:59.999","2024-01-01T00:00:00.000","2024-12-31T23:59:59.999",10000]
