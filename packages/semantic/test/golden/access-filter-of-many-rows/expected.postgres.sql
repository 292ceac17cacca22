SELECT
  "customers".city AS "customers__city",
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue"
FROM (
  SELECT "orders".*
  FROM orders AS "orders"
  JOIN (
    SELECT
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    LEFT JOIN products AS "products" ON "line_items".product_id = "products".id
    WHERE "products".category IN ($1, $2)
    GROUP BY 1
  ) AS "orders_allowed" ON "orders_allowed"."key_1" = "orders".id
) AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $3
-- ["food","office",10000]
