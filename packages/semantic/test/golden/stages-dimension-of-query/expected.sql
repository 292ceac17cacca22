WITH "stage rows" AS (
  SELECT
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  GROUP BY 1
),
"stage is_busy" AS (
  SELECT
    "stage rows"."orders__created_at_month" AS "orders__created_at_month",
    "stage rows"."orders__count_part" > 1 AS "orders__is_busy_of_group"
  FROM "stage rows" AS "stage rows"
),
"stage rows_2" AS (
  SELECT
    "stage is_busy"."orders__is_busy_of_group" AS "orders__is_busy",
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    count(*) AS "orders__count_part_2",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN "stage is_busy" AS "stage is_busy" ON date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) IS NOT DISTINCT FROM "stage is_busy"."orders__created_at_month"
  GROUP BY 1, 2
)
SELECT
  "stage rows_2"."orders__is_busy" AS "orders__is_busy",
  "stage rows_2"."orders__created_at_month" AS "orders__created_at_month",
  "stage rows_2"."orders__count_part_2" AS "orders__count",
  "stage rows_2"."orders__revenue_part" AS "orders__revenue"
FROM "stage rows_2" AS "stage rows_2"
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT $1
-- [10000]
