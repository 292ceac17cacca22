SELECT
  CASE WHEN count(*) >= 0 THEN (-1) END AS "orders__revenue"
FROM orders AS "orders"
ORDER BY 1 DESC NULLS LAST
LIMIT $1
-- [10000]
