SELECT
  "orders".id AS "orders__id",
  "li".price AS "li__price",
  1 AS "orders__count",
  CASE WHEN "orders".customer_id IS NOT NULL THEN 1 END AS "orders__buyers",
  CASE WHEN "customers".id IS NOT NULL THEN 1 END AS "customers__count",
  CASE WHEN "li".order_id IS NOT NULL THEN 1 END AS "li__count",
  1.0 * "li".quantity / NULLIF(1, 0) AS "orders__items_per_order"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $1
-- [10000]
