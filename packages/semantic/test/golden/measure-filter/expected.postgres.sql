SELECT
  "orders".id AS "orders__id"
FROM orders AS "orders"
WHERE ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL)
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
