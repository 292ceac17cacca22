WITH "stage rows" AS (
  SELECT
    "orders".status AS "orders__status",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  GROUP BY 1
)
SELECT
  "stage rows"."orders__status" AS "orders__status",
  "stage rows"."orders__revenue_part" * 2 AS "orders__revenue_in"
FROM "stage rows" AS "stage rows"
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
