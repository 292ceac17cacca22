SELECT
  "part_1"."products__category" AS "products__category",
  "part_2"."customers__count_part" AS "customers__count",
  "part_2"."customers__years_part" AS "customers__years",
  "part_1"."purchases__count_part" AS "purchases__count",
  "part_3"."products__count_part" AS "products__count"
FROM (
  SELECT
    "products".category AS "products__category",
    count("purchases".customer_id) AS "purchases__count_part"
  FROM customers AS "customers"
  LEFT JOIN (
    SELECT DISTINCT customer_id, product_id FROM orders JOIN line_items ON order_id = id
  ) AS "purchases" ON "customers".id = "purchases".customer_id
  LEFT JOIN products AS "products" ON "purchases".product_id = "products".id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "customers_keys"."products__category" AS "products__category",
    count("customers".id) AS "customers__count_part",
    sum(CASE WHEN "customers".id IS NOT NULL THEN (date_part('year', signed_up)) END) AS "customers__years_part"
  FROM (
    SELECT
      "products".category AS "products__category",
      "customers".id AS "key_1"
    FROM customers AS "customers"
    LEFT JOIN (
      SELECT DISTINCT customer_id, product_id FROM orders JOIN line_items ON order_id = id
    ) AS "purchases" ON "customers".id = "purchases".customer_id
    LEFT JOIN products AS "products" ON "purchases".product_id = "products".id
    GROUP BY 1, 2
  ) AS "customers_keys"
  LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."products__category"] = ARRAY["part_2"."products__category"]
JOIN (
  SELECT
    "products_keys"."products__category" AS "products__category",
    count("products".id) AS "products__count_part"
  FROM (
    SELECT
      "products".category AS "products__category",
      "products".id AS "key_1"
    FROM customers AS "customers"
    LEFT JOIN (
      SELECT DISTINCT customer_id, product_id FROM orders JOIN line_items ON order_id = id
    ) AS "purchases" ON "customers".id = "purchases".customer_id
    LEFT JOIN products AS "products" ON "purchases".product_id = "products".id
    GROUP BY 1, 2
  ) AS "products_keys"
  LEFT JOIN products AS "products" ON "products_keys"."key_1" = "products".id
  GROUP BY 1
) AS "part_3" ON ARRAY["part_1"."products__category"] = ARRAY["part_3"."products__category"]
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
