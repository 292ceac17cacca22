SELECT
  "orders".status AS "orders__status",
  1 AS "orders__count",
  CASE WHEN "orders".status = 'done' THEN 1 END AS "orders__done",
  "orders".amount AS "orders__revenue",
  100.0 * CASE WHEN "orders".status = 'done' THEN 1 END / 1 AS "orders__done_share",
  "li".quantity AS "li__quantity"
FROM orders AS "orders"
LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
ORDER BY 4 ASC NULLS LAST, 6 ASC NULLS LAST
LIMIT $1
-- [10000]
