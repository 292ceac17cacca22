SELECT
  "orders".id AS "named_orders__id",
  "orders".status AS "named_orders__status",
  count(*) AS "named_orders__count"
FROM orders AS "orders"
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $1
-- [10000]
