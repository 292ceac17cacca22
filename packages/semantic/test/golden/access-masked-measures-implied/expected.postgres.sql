SELECT
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
WHERE "orders".status = $1
ORDER BY 1 DESC NULLS LAST
LIMIT $2
-- ["done",10000]
