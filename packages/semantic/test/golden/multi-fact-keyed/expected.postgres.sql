WITH "hedron_fact_1" AS (
  SELECT
    "part_1"."activity__name" AS "activity__name",
    "part_2"."orders__revenue_part_2" AS "orders__revenue_part",
    "part_1"."orders__most_pieces_part_2" AS "orders__most_pieces_part",
    "part_1"."line_items__quantity_part_2" AS "line_items__quantity_part"
  FROM (
    SELECT
      "customers".name AS "activity__name",
      max("orders_pieces_subquery"."line_items__quantity") AS "orders__most_pieces_part_2",
      sum("line_items".quantity) AS "line_items__quantity_part_2"
    FROM orders AS "orders"
    LEFT JOIN (
      SELECT
        "orders".id AS "key",
        sum("line_items".quantity) AS "line_items__quantity"
      FROM orders AS "orders"
      LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
      GROUP BY 1
    ) AS "orders_pieces_subquery" ON "orders_pieces_subquery"."key" = "orders".id
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    GROUP BY 1
  ) AS "part_1"
  JOIN (
    SELECT
      "orders_keys"."activity__name" AS "activity__name",
      sum("orders".amount) AS "orders__revenue_part_2"
    FROM (
      SELECT
        "customers".name AS "activity__name",
        "orders".id AS "key_1"
      FROM orders AS "orders"
      LEFT JOIN (
        SELECT
          "orders".id AS "key",
          sum("line_items".quantity) AS "line_items__quantity"
        FROM orders AS "orders"
        LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
        GROUP BY 1
      ) AS "orders_pieces_subquery" ON "orders_pieces_subquery"."key" = "orders".id
      LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
      LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
      GROUP BY 1, 2
    ) AS "orders_keys"
    LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
    GROUP BY 1
  ) AS "part_2" ON ARRAY["part_1"."activity__name"] = ARRAY["part_2"."activity__name"]
), "hedron_fact_2" AS (
  SELECT
    "customers".name AS "activity__name",
    sum("profiles".points) AS "profiles__points_part"
  FROM profiles AS "profiles"
  LEFT JOIN customers AS "customers" ON "profiles".customer_id = "customers".id
  GROUP BY 1
)
SELECT
  "groups"."activity__name" AS "activity__name",
  "hedron_fact_1"."orders__revenue_part" AS "activity__revenue",
  "hedron_fact_1"."orders__most_pieces_part" AS "activity__most_pieces",
  "hedron_fact_1"."line_items__quantity_part" AS "activity__quantity",
  "hedron_fact_2"."profiles__points_part" AS "activity__points"
FROM (
  SELECT DISTINCT "activity__name" FROM (
    SELECT "activity__name" FROM "hedron_fact_1"
    UNION ALL
    SELECT "activity__name" FROM "hedron_fact_2"
  ) AS "all_groups"
) AS "groups"
LEFT JOIN "hedron_fact_1" ON ARRAY["groups"."activity__name"] = ARRAY["hedron_fact_1"."activity__name"]
LEFT JOIN "hedron_fact_2" ON ARRAY["groups"."activity__name"] = ARRAY["hedron_fact_2"."activity__name"]
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
