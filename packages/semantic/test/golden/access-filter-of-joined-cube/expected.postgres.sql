SELECT
  "part_1"."orders__status" AS "orders__status",
  "part_2"."orders__count_part" AS "orders__count",
  "part_1"."line_items__pieces_part" AS "line_items__pieces"
FROM (
  SELECT
    "orders".status AS "orders__status",
    sum("line_items".quantity) AS "line_items__pieces_part"
  FROM (
    SELECT "orders".*
    FROM orders AS "orders"
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    WHERE "customers".city = $1
  ) AS "orders"
  LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."orders__status" AS "orders__status",
    count("orders".id) AS "orders__count_part"
  FROM (
    SELECT
      "orders".status AS "orders__status",
      "orders".id AS "key_1"
    FROM (
      SELECT "orders".*
      FROM orders AS "orders"
      LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
      WHERE "customers".city = $2
    ) AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN (
    SELECT "orders".*
    FROM orders AS "orders"
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    WHERE "customers".city = $3
  ) AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."orders__status"] = ARRAY["part_2"."orders__status"]
ORDER BY 1 ASC NULLS LAST
LIMIT $4
-- ["Berlin","Berlin","Berlin",10000]
