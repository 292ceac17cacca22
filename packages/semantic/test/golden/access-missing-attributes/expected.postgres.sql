SELECT
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue"
FROM (
  SELECT "orders".*
  FROM orders AS "orders"
  WHERE 1 = 0 OR 1 = 0
) AS "orders"
ORDER BY 1 DESC NULLS LAST
LIMIT $1
-- [10000]
