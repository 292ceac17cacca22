SELECT
  "customers".name || '!' AS "line_items__buyer",
  sum("line_items".quantity) AS "line_items__quantity"
FROM line_items AS "line_items"
LEFT JOIN orders AS "orders" ON "line_items".order_id = "orders".id
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
