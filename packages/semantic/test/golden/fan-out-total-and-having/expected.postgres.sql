SELECT
  "part_1"."customers__name" AS "customers__name",
  1.0 * "part_1"."line_items__quantity_part" / NULLIF("part_2"."orders__count_part", 0) AS "orders__items_per_order",
  "part_2"."orders__mean_square_part" AS "orders__mean_square",
  100.0 * "part_2"."orders__done_part" / "part_2"."orders__count_part" AS "orders__done_share"
FROM (
  SELECT
    "customers".name AS "customers__name",
    sum("li".quantity) AS "line_items__quantity_part"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."customers__name" AS "customers__name",
    count("orders".id) AS "orders__count_part",
    sum("orders".amount * "orders".amount) / count("orders".id) AS "orders__mean_square_part",
    count(CASE WHEN "orders".status = 'done' THEN "orders".id END) AS "orders__done_part"
  FROM (
    SELECT
      "customers".name AS "customers__name",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."customers__name"] = ARRAY["part_2"."customers__name"]
WHERE "part_1"."line_items__quantity_part" > CAST($1 AS NUMERIC)
ORDER BY 1 ASC NULLS LAST
LIMIT $2
-- ["2",10000]
