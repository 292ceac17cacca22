SELECT
  "names".name AS "names__name",
  sum("line_items".quantity) AS "line_items__quantity"
FROM line_items AS "line_items"
LEFT JOIN products AS "products" ON "line_items".product_id = "products".id
LEFT JOIN customers AS "names" ON "products".id = "names".id
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
