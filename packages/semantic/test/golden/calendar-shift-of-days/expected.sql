WITH "stage rows" AS (
  SELECT
    time_bucket(INTERVAL 6 MONTH, CAST((CAST("fiscal_days".day AS TIMESTAMP) + INTERVAL '1209600000 milliseconds') AS TIMESTAMP), CAST($1 AS TIMESTAMP)) AS "fiscal_days__date_half",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
  WHERE "fiscal_days".day >= CAST($2 AS TIMESTAMP) AND "fiscal_days".day <= CAST($3 AS TIMESTAMP)
  GROUP BY 1
),
"stage rows_2" AS (
  SELECT
    time_bucket(INTERVAL 6 MONTH, CAST((CAST("fiscal_days".day AS TIMESTAMP) + 1 * INTERVAL '1 month') AS TIMESTAMP), CAST($4 AS TIMESTAMP)) AS "fiscal_days__date_half",
    sum("orders".amount) AS "orders__revenue_part_2"
  FROM orders AS "orders"
  LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
  WHERE ("fiscal_days".day >= CAST($5 AS TIMESTAMP) AND "fiscal_days".day <= CAST($6 AS TIMESTAMP)) AND ((CAST("fiscal_days".day AS TIMESTAMP) + 1 * INTERVAL '1 month') >= CAST($7 AS TIMESTAMP) AND (CAST("fiscal_days".day AS TIMESTAMP) + 1 * INTERVAL '1 month') <= CAST($8 AS TIMESTAMP))
  GROUP BY 1
),
"stage rows_3" AS (
  SELECT
    time_bucket(INTERVAL 6 MONTH, CAST("fiscal_days".day AS TIMESTAMP), CAST($9 AS TIMESTAMP)) AS "fiscal_days__date_half",
    sum("orders".amount) AS "orders__revenue_part_3"
  FROM orders AS "orders"
  LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
  WHERE "fiscal_days".day >= CAST($10 AS TIMESTAMP) AND "fiscal_days".day <= CAST($11 AS TIMESTAMP)
  GROUP BY 1
),
"stage revenue_two_weeks" AS (
  SELECT
    "stage rows"."fiscal_days__date_half" AS "fiscal_days__date_half",
    "stage rows"."orders__revenue_part" AS "orders__revenue_two_weeks_part"
  FROM "stage rows" AS "stage rows"
),
"stage revenue_month_ago" AS (
  SELECT
    "stage rows_2"."fiscal_days__date_half" AS "fiscal_days__date_half",
    "stage rows_2"."orders__revenue_part_2" AS "orders__revenue_month_ago_part"
  FROM "stage rows_2" AS "stage rows_2"
)
SELECT
  "groups"."fiscal_days__date_half" AS "fiscal_days__date_half",
  "stage rows_3"."orders__revenue_part_3" AS "orders__revenue",
  "stage revenue_two_weeks"."orders__revenue_two_weeks_part" AS "orders__revenue_two_weeks",
  "stage revenue_month_ago"."orders__revenue_month_ago_part" AS "orders__revenue_month_ago"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_3"."fiscal_days__date_half" AS "fiscal_days__date_half"
    FROM "stage rows_3" AS "stage rows_3"
    UNION ALL
    SELECT
      "stage revenue_two_weeks"."fiscal_days__date_half" AS "fiscal_days__date_half"
    FROM "stage revenue_two_weeks" AS "stage revenue_two_weeks"
    UNION ALL
    SELECT
      "stage revenue_month_ago"."fiscal_days__date_half" AS "fiscal_days__date_half"
    FROM "stage revenue_month_ago" AS "stage revenue_month_ago"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_3" AS "stage rows_3" ON "groups"."fiscal_days__date_half" = "stage rows_3"."fiscal_days__date_half"
LEFT JOIN "stage revenue_two_weeks" AS "stage revenue_two_weeks" ON "groups"."fiscal_days__date_half" = "stage revenue_two_weeks"."fiscal_days__date_half"
LEFT JOIN "stage revenue_month_ago" AS "stage revenue_month_ago" ON "groups"."fiscal_days__date_half" = "stage revenue_month_ago"."fiscal_days__date_half"
ORDER BY 1 ASC NULLS LAST
LIMIT $12
-- ["2000-01-01T00:00:00.000","2023-12-18T00:00:00.000","2025-12-17T23:59:59.999","2000-01-01T00:00:00.000","2023-11-26T00:00:00.000","2025-12-05T23:59:59.999","2024-01-01T00:00:00.000","2025-12-31T23:59:59.999","2000-01-01T00:00:00.000","2024-01-01T00:00:00.000","2025-12-31T23:59:59.999",10000]
