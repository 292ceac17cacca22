WITH "stage rows" AS (
  SELECT
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__next_month_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($1 AS TIMESTAMP) AND "orders".created_at <= CAST($2 AS TIMESTAMP)
  GROUP BY 1
),
"stage periods" AS (
  SELECT (CAST($3 AS TIMESTAMP) + "steps"."step" * 1 * INTERVAL '1 month') AS "period"
  FROM generate_series(0, 2) AS "steps"("step")
),
"stage rows_2" AS (
  SELECT
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__this_year_part",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($4 AS TIMESTAMP) AND "orders".created_at <= CAST($5 AS TIMESTAMP)
  GROUP BY 1
),
"stage windows" AS (
  SELECT
    "stage periods"."period" AS "orders__created_at_month",
    sum("stage rows"."orders__next_month_part") AS "orders__next_month_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows" AS "stage rows" ON "stage rows"."orders__created_at_month" >= ("stage periods"."period" + 1 * INTERVAL '1 month') AND "stage rows"."orders__created_at_month" < (("stage periods"."period" + 1 * INTERVAL '1 month') + 1 * INTERVAL '1 month')
  GROUP BY 1
),
"stage windows_2" AS (
  SELECT
    "stage periods"."period" AS "orders__created_at_month",
    sum("stage rows_2"."orders__this_year_part") AS "orders__this_year_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows_2" AS "stage rows_2" ON "stage rows_2"."orders__created_at_month" >= date_trunc('year', CAST("stage periods"."period" AS TIMESTAMP)) AND "stage rows_2"."orders__created_at_month" < ("stage periods"."period" + 1 * INTERVAL '1 month')
  GROUP BY 1
)
SELECT
  "groups"."orders__created_at_month" AS "orders__created_at_month",
  "stage windows"."orders__next_month_part_2" AS "orders__next_month",
  "stage rows_2"."orders__count_part" AS "orders__count",
  "stage windows_2"."orders__this_year_part_2" AS "orders__this_year"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_2"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage rows_2" AS "stage rows_2"
    UNION ALL
    SELECT
      "stage windows"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage windows" AS "stage windows"
    UNION ALL
    SELECT
      "stage windows_2"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage windows_2" AS "stage windows_2"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_2" AS "stage rows_2" ON "groups"."orders__created_at_month" = "stage rows_2"."orders__created_at_month"
LEFT JOIN "stage windows" AS "stage windows" ON "groups"."orders__created_at_month" = "stage windows"."orders__created_at_month"
LEFT JOIN "stage windows_2" AS "stage windows_2" ON "groups"."orders__created_at_month" = "stage windows_2"."orders__created_at_month"
ORDER BY 1 ASC NULLS LAST
LIMIT $6
-- ["2024-02-01T00:00:00.000","2024-04-30T23:59:59.999","2024-01-01T00:00:00.000","2024-01-01T00:00:00.000","2024-03-31T23:59:59.999",10000]
