SELECT
  "part_1"."customers__city" AS "customers__city",
  "part_1"."line_items__quantity_part" AS "line_items__quantity",
  "part_2"."customers__count_part" AS "customers__count"
FROM (
  SELECT
    "customers".city AS "customers__city",
    sum("line_items".quantity) AS "line_items__quantity_part"
  FROM line_items AS "line_items"
  LEFT JOIN orders AS "orders" ON "line_items".order_id = "orders".id
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "customers_keys"."customers__city" AS "customers__city",
    count("customers".id) AS "customers__count_part"
  FROM (
    SELECT
      "customers".city AS "customers__city",
      "customers".id AS "key_1"
    FROM line_items AS "line_items"
    LEFT JOIN orders AS "orders" ON "line_items".order_id = "orders".id
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    GROUP BY 1, 2
  ) AS "customers_keys"
  LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."customers__city"] = ARRAY["part_2"."customers__city"]
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
