SELECT
  "line_items".order_id AS "line_items__order_id",
  "line_items".line AS "line_items__line",
  "line_items_amount_subquery"."orders__revenue" AS "line_items__amount",
  sum("line_items_amount_subquery"."orders__revenue") AS "line_items__seen"
FROM line_items AS "line_items"
LEFT JOIN (
  SELECT
    "part_1"."key" AS "key",
    "part_1"."key_2" AS "key_2",
    "part_1"."orders__revenue_part" AS "orders__revenue"
  FROM (
    SELECT
      "orders_keys"."key" AS "key",
      "orders_keys"."key_2" AS "key_2",
      sum("orders".amount) AS "orders__revenue_part"
    FROM (
      SELECT
        "line_items".order_id AS "key",
        "line_items".line AS "key_2",
        "orders".id AS "key_1"
      FROM line_items AS "line_items"
      LEFT JOIN orders AS "orders" ON "line_items".order_id = "orders".id
      GROUP BY 1, 2, 3
    ) AS "orders_keys"
    LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
    GROUP BY 1, 2
  ) AS "part_1"
) AS "line_items_amount_subquery" ON "line_items_amount_subquery"."key" = "line_items".order_id AND "line_items_amount_subquery"."key_2" = "line_items".line
GROUP BY 1, 2, 3
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST
LIMIT $1
-- [10000]
