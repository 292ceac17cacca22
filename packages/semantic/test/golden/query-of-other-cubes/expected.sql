SELECT
  "buyers".name AS "buyer_list__name",
  count(*) AS "buyer_list__number"
FROM (
  -- who buys
  SELECT * FROM (SELECT * FROM customers) everyone WHERE id IN (SELECT customer_id FROM orders) -- all orders

) AS "buyers"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
