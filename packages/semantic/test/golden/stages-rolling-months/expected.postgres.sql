WITH "stage rows" AS (
  SELECT
    date_trunc('day', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_day",
    sum("orders".amount) AS "orders__revenue_60_days_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($1 AS TIMESTAMP) AND "orders".created_at <= CAST($2 AS TIMESTAMP)
  GROUP BY 1
),
"stage periods" AS (
  SELECT (CAST($3 AS TIMESTAMP) + "steps"."step" * 1 * INTERVAL '1 month') AS "period"
  FROM generate_series(0, 4) AS "steps"("step")
),
"stage rows_2" AS (
  SELECT
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__next_month_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($4 AS TIMESTAMP) AND "orders".created_at <= CAST($5 AS TIMESTAMP)
  GROUP BY 1
),
"stage rows_3" AS (
  SELECT
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($6 AS TIMESTAMP) AND "orders".created_at <= CAST($7 AS TIMESTAMP)
  GROUP BY 1
),
"stage windows" AS (
  SELECT
    "stage periods"."period" AS "orders__created_at_month",
    sum("stage rows"."orders__revenue_60_days_part") AS "orders__revenue_60_days_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows" AS "stage rows" ON "stage rows"."orders__created_at_day" >= (("stage periods"."period" + 1 * INTERVAL '1 month') - INTERVAL '5184000000 milliseconds') AND "stage rows"."orders__created_at_day" < ("stage periods"."period" + 1 * INTERVAL '1 month')
  GROUP BY 1
),
"stage windows_2" AS (
  SELECT
    "stage periods"."period" AS "orders__created_at_month",
    sum("stage rows_2"."orders__next_month_part") AS "orders__next_month_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows_2" AS "stage rows_2" ON "stage rows_2"."orders__created_at_month" >= ("stage periods"."period" + 1 * INTERVAL '1 month') AND "stage rows_2"."orders__created_at_month" < (("stage periods"."period" + 1 * INTERVAL '1 month') + 1 * INTERVAL '1 month')
  GROUP BY 1
)
SELECT
  "groups"."orders__created_at_month" AS "orders__created_at_month",
  "stage windows"."orders__revenue_60_days_part_2" AS "orders__revenue_60_days",
  "stage rows_3"."orders__revenue_part" AS "orders__revenue",
  1e0 * "stage rows_3"."orders__revenue_part" / NULLIF("stage windows"."orders__revenue_60_days_part_2", 0) AS "orders__growth",
  "stage windows_2"."orders__next_month_part_2" AS "orders__next_month"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_3"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage rows_3" AS "stage rows_3"
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
LEFT JOIN "stage rows_3" AS "stage rows_3" ON "groups"."orders__created_at_month" = "stage rows_3"."orders__created_at_month"
LEFT JOIN "stage windows" AS "stage windows" ON "groups"."orders__created_at_month" = "stage windows"."orders__created_at_month"
LEFT JOIN "stage windows_2" AS "stage windows_2" ON "groups"."orders__created_at_month" = "stage windows_2"."orders__created_at_month"
ORDER BY 1 ASC NULLS LAST
LIMIT $8
-- ["2023-12-03T00:00:00.000","2024-05-31T23:59:59.999","2024-01-01T00:00:00.000","2024-02-01T00:00:00.000","2024-06-30T23:59:59.999","2024-01-01T00:00:00.000","2024-05-31T23:59:59.999",10000]
