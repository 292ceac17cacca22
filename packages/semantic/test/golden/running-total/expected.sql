WITH "stage rows" AS (
  SELECT
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__revenue_so_far_part"
  FROM orders AS "orders"
  WHERE "orders".created_at <= CAST($1 AS TIMESTAMP)
  GROUP BY 1
),
"stage periods" AS (
  SELECT (CAST($2 AS TIMESTAMP) + "steps"."step" * 1 * INTERVAL '1 month') AS "period"
  FROM generate_series(0, 3) AS "steps"("step")
),
"stage windows" AS (
  SELECT
    "stage periods"."period" AS "orders__created_at_month",
    sum("stage rows"."orders__revenue_so_far_part") AS "orders__revenue_so_far_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows" AS "stage rows" ON "stage rows"."orders__created_at_month" < ("stage periods"."period" + 1 * INTERVAL '1 month')
  GROUP BY 1
)
SELECT
  "stage windows"."orders__created_at_month" AS "orders__created_at_month",
  "stage windows"."orders__revenue_so_far_part_2" AS "orders__revenue_so_far"
FROM "stage windows" AS "stage windows"
ORDER BY 1 ASC NULLS LAST
LIMIT $3
-- ["2024-04-30T23:59:59.999","2024-01-01T00:00:00.000",10000]
