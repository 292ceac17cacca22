SELECT
  "part_1"."customers__city" AS "customers__city",
  "part_2"."orders__revenue_part" AS "orders__revenue",
  "part_2"."orders__count_part" AS "orders__count",
  "part_1"."line_items__quantity_part" AS "li__quantity",
  "part_1"."line_items__value_part" AS "li__value",
  "part_1"."line_items__count_part" AS "li__count"
FROM (
  SELECT
    "customers".city AS "customers__city",
    sum("li".quantity) AS "line_items__quantity_part",
    sum(CASE WHEN "li".order_id IS NOT NULL THEN ("li".quantity * "li".price) END) AS "line_items__value_part",
    count("li".order_id) AS "line_items__count_part"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."customers__city" AS "customers__city",
    sum("orders".amount) AS "orders__revenue_part",
    count("orders".id) AS "orders__count_part"
  FROM (
    SELECT
      "customers".city AS "customers__city",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."customers__city"] = ARRAY["part_2"."customers__city"]
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
