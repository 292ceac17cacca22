SELECT
  "part_2"."orders__revenue_part" AS "orders__revenue",
  "part_3"."customers__count_part" AS "customers__count",
  "part_1"."line_items__food_part" AS "li__food",
  "part_4"."products__count_part" AS "products__count"
FROM (
  SELECT
    sum(CASE WHEN "products".category = 'food' THEN "li".quantity END) AS "line_items__food_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
  LEFT JOIN products AS "products" ON "li".product_id = "products".id
) AS "part_1"
CROSS JOIN (
  SELECT
    sum("orders".amount) AS "orders__revenue_part"
  FROM (
    SELECT
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
    LEFT JOIN products AS "products" ON "li".product_id = "products".id
    GROUP BY 1
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
) AS "part_2"
CROSS JOIN (
  SELECT
    count("customers".id) AS "customers__count_part"
  FROM (
    SELECT
      "customers".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
    LEFT JOIN products AS "products" ON "li".product_id = "products".id
    GROUP BY 1
  ) AS "customers_keys"
  LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
) AS "part_3"
CROSS JOIN (
  SELECT
    count("products".id) AS "products__count_part"
  FROM (
    SELECT
      "products".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
    LEFT JOIN products AS "products" ON "li".product_id = "products".id
    GROUP BY 1
  ) AS "products_keys"
  LEFT JOIN products AS "products" ON "products_keys"."key_1" = "products".id
) AS "part_4"
ORDER BY 1 DESC NULLS LAST
LIMIT $1
-- [10000]
