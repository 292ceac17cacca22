SELECT
  count(*) AS "orders__count"
FROM orders AS "orders"
WHERE ("orders".status = 'done' OR "orders".status = 'cancelled') AND ("orders".amount > 9)
ORDER BY 1 DESC NULLS LAST
LIMIT $1
-- [10000]
