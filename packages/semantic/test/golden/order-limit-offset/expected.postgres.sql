SELECT
  "orders".id AS "orders__id",
  "orders".status AS "orders__status",
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
GROUP BY 1, 2
ORDER BY 2 DESC NULLS LAST, 3 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT $1
OFFSET $2
-- [3,2]
