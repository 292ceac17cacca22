SELECT
  "part_1"."orders__status" AS "orders__status",
  "part_2"."orders__revenue_part" AS "orders__revenue",
  "part_1"."earlier_orders__revenue_part" AS "earlier_orders__revenue"
FROM (
  SELECT
    "orders".status AS "orders__status",
    sum("earlier_orders".amount) AS "earlier_orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN orders AS "earlier_orders" ON "orders".customer_id = "earlier_orders".customer_id AND "orders".id > "earlier_orders".id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."orders__status" AS "orders__status",
    sum("orders".amount) AS "orders__revenue_part"
  FROM (
    SELECT
      "orders".status AS "orders__status",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN orders AS "earlier_orders" ON "orders".customer_id = "earlier_orders".customer_id AND "orders".id > "earlier_orders".id
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."orders__status"] = ARRAY["part_2"."orders__status"]
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
