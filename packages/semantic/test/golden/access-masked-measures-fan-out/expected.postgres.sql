SELECT
  "part_1"."orders__status" AS "orders__status",
  CASE WHEN "part_1"."orders__status" = $1 THEN "part_2"."orders__revenue_part" ELSE (-1) END AS "orders__revenue",
  CASE WHEN "part_1"."orders__status" = $2 THEN "part_2"."orders__average_part" ELSE "part_2"."orders__average mask_part" END AS "orders__average",
  "part_1"."line_items__pieces_part" AS "line_items__pieces"
FROM (
  SELECT
    "orders".status AS "orders__status",
    sum("line_items".quantity) AS "line_items__pieces_part"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."orders__status" AS "orders__status",
    sum("orders".amount) AS "orders__revenue_part",
    avg("orders".amount) AS "orders__average_part",
    round(avg("orders".amount), -1) AS "orders__average mask_part"
  FROM (
    SELECT
      "orders".status AS "orders__status",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."orders__status"] = ARRAY["part_2"."orders__status"]
WHERE CASE WHEN "part_1"."orders__status" = $3 THEN "part_2"."orders__revenue_part" ELSE (-1) END <> CAST($4 AS NUMERIC) OR CASE WHEN "part_1"."orders__status" = $5 THEN "part_2"."orders__revenue_part" ELSE (-1) END IS NULL
ORDER BY 1 ASC NULLS LAST
LIMIT $6
-- ["done","done","done","7","done",10000]
