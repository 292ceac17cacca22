SELECT
  "part_1"."products__category" AS "products__category",
  "part_1"."orders__count_part" AS "orders__count"
FROM (
  SELECT
    "orders_keys"."products__category" AS "products__category",
    count("orders".id) AS "orders__count_part"
  FROM (
    SELECT
      "products".category AS "products__category",
      "orders".id AS "key_1"
    FROM (
      SELECT "orders".*
      FROM orders AS "orders"
      WHERE "orders".status IS NOT NULL
    ) AS "orders"
    LEFT JOIN (
      SELECT "line_items".*
      FROM line_items AS "line_items"
      WHERE 1 = 0
    ) AS "line_items" ON "orders".id = "line_items".order_id
    LEFT JOIN products AS "products" ON "line_items".product_id = "products".id
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN (
    SELECT "orders".*
    FROM orders AS "orders"
    WHERE "orders".status IS NOT NULL
  ) AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1
) AS "part_1"
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
