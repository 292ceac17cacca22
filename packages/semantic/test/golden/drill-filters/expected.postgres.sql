SELECT
  "orders".id AS "orders__id",
  count(CASE WHEN "orders".status = 'done' THEN 1 END) AS "orders__count"
FROM orders AS "orders"
WHERE ("orders".status = 'done') AND ("orders".amount > 5)
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
