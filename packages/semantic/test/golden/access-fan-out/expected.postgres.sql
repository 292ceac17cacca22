SELECT
  "part_1"."products__category" AS "products__category",
  "part_2"."orders__revenue_part" AS "orders__revenue",
  "part_1"."line_items__pieces_part" AS "line_items__pieces",
  "part_3"."customers__count_part" AS "customers__count"
FROM (
  SELECT
    "products".category AS "products__category",
    sum("line_items".quantity) AS "line_items__pieces_part"
  FROM orders AS "orders"
  LEFT JOIN (
    SELECT "line_items".*
    FROM line_items AS "line_items"
    WHERE "line_items".quantity < CAST($1 AS NUMERIC)
  ) AS "line_items" ON "orders".id = "line_items".order_id
  LEFT JOIN (
    SELECT "customers".*
    FROM customers AS "customers"
    WHERE "customers".city <> $2 AND "customers".city IS NOT NULL
  ) AS "customers" ON "orders".customer_id = "customers".id
  LEFT JOIN products AS "products" ON "line_items".product_id = "products".id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."products__category" AS "products__category",
    sum("orders".amount) AS "orders__revenue_part"
  FROM (
    SELECT
      "products".category AS "products__category",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN (
      SELECT "line_items".*
      FROM line_items AS "line_items"
      WHERE "line_items".quantity < CAST($3 AS NUMERIC)
    ) AS "line_items" ON "orders".id = "line_items".order_id
    LEFT JOIN (
      SELECT "customers".*
      FROM customers AS "customers"
      WHERE "customers".city <> $4 AND "customers".city IS NOT NULL
    ) AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN products AS "products" ON "line_items".product_id = "products".id
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."products__category"] = ARRAY["part_2"."products__category"]
JOIN (
  SELECT
    "customers_keys"."products__category" AS "products__category",
    count("customers".id) AS "customers__count_part"
  FROM (
    SELECT
      "products".category AS "products__category",
      "customers".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN (
      SELECT "line_items".*
      FROM line_items AS "line_items"
      WHERE "line_items".quantity < CAST($5 AS NUMERIC)
    ) AS "line_items" ON "orders".id = "line_items".order_id
    LEFT JOIN (
      SELECT "customers".*
      FROM customers AS "customers"
      WHERE "customers".city <> $6 AND "customers".city IS NOT NULL
    ) AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN products AS "products" ON "line_items".product_id = "products".id
    GROUP BY 1, 2
  ) AS "customers_keys"
  LEFT JOIN (
    SELECT "customers".*
    FROM customers AS "customers"
    WHERE "customers".city <> $7 AND "customers".city IS NOT NULL
  ) AS "customers" ON "customers_keys"."key_1" = "customers".id
  GROUP BY 1
) AS "part_3" ON ARRAY["part_1"."products__category"] = ARRAY["part_3"."products__category"]
ORDER BY 1 ASC NULLS LAST
LIMIT $8
-- ["10","Paris","10","Paris","10","Paris","Paris",10000]
