SELECT
  "part_1"."sales__product_category" AS "sales__product_category",
  "part_2"."orders__revenue_part" AS "sales__revenue",
  "part_1"."line_items__quantity_part" AS "sales__pieces",
  "part_3"."customers__count_part" AS "sales__customers_count",
  "part_4"."products__count_part" AS "sales__product_count"
FROM (
  SELECT
    "products".category AS "sales__product_category",
    sum("li".quantity) AS "line_items__quantity_part"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  LEFT JOIN products AS "products" ON "li".product_id = "products".id
  WHERE "orders".amount > 9
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."sales__product_category" AS "sales__product_category",
    sum("orders".amount) AS "orders__revenue_part"
  FROM (
    SELECT
      "products".category AS "sales__product_category",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN products AS "products" ON "li".product_id = "products".id
    WHERE "orders".amount > 9
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."sales__product_category"] = ARRAY["part_2"."sales__product_category"]
JOIN (
  SELECT
    "customers_keys"."sales__product_category" AS "sales__product_category",
    count("customers".id) AS "customers__count_part"
  FROM (
    SELECT
      "products".category AS "sales__product_category",
      "customers".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN products AS "products" ON "li".product_id = "products".id
    WHERE "orders".amount > 9
    GROUP BY 1, 2
  ) AS "customers_keys"
  LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
  GROUP BY 1
) AS "part_3" ON ARRAY["part_1"."sales__product_category"] = ARRAY["part_3"."sales__product_category"]
JOIN (
  SELECT
    "products_keys"."sales__product_category" AS "sales__product_category",
    count("products".id) AS "products__count_part"
  FROM (
    SELECT
      "products".category AS "sales__product_category",
      "products".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN products AS "products" ON "li".product_id = "products".id
    WHERE "orders".amount > 9
    GROUP BY 1, 2
  ) AS "products_keys"
  LEFT JOIN products AS "products" ON "products_keys"."key_1" = "products".id
  GROUP BY 1
) AS "part_4" ON ARRAY["part_1"."sales__product_category"] = ARRAY["part_4"."sales__product_category"]
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
