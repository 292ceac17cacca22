SELECT
  "part_1"."customers__size" AS "customers__size",
  "part_2"."customers__count_part" AS "customers__count",
  "part_1"."orders__total_value_part" AS "orders__total_value"
FROM (
  SELECT
    CASE WHEN "customers_largest_subquery"."orders__largest_value" >= 20 THEN $1 ELSE $2 END AS "customers__size",
    sum("orders_value_subquery"."line_items__value") AS "orders__total_value_part"
  FROM customers AS "customers"
  LEFT JOIN (
    SELECT
      "customers".id AS "key",
      max("orders_value_subquery"."line_items__value") AS "orders__largest_value"
    FROM customers AS "customers"
    LEFT JOIN orders AS "orders" ON "customers".id = "orders".customer_id
    LEFT JOIN (
      SELECT
        "orders".id AS "key",
        sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
      FROM orders AS "orders"
      LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
      GROUP BY 1
    ) AS "orders_value_subquery" ON "orders_value_subquery"."key" = "orders".id
    GROUP BY 1
  ) AS "customers_largest_subquery" ON "customers_largest_subquery"."key" = "customers".id
  LEFT JOIN orders AS "orders" ON "customers".id = "orders".customer_id
  LEFT JOIN (
    SELECT
      "orders".id AS "key",
      sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    GROUP BY 1
  ) AS "orders_value_subquery" ON "orders_value_subquery"."key" = "orders".id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "customers_keys"."customers__size" AS "customers__size",
    count("customers".id) AS "customers__count_part"
  FROM (
    SELECT
      CASE WHEN "customers_largest_subquery"."orders__largest_value" >= 20 THEN $3 ELSE $4 END AS "customers__size",
      "customers".id AS "key_1"
    FROM customers AS "customers"
    LEFT JOIN (
      SELECT
        "customers".id AS "key",
        max("orders_value_subquery"."line_items__value") AS "orders__largest_value"
      FROM customers AS "customers"
      LEFT JOIN orders AS "orders" ON "customers".id = "orders".customer_id
      LEFT JOIN (
        SELECT
          "orders".id AS "key",
          sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
        FROM orders AS "orders"
        LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
        GROUP BY 1
      ) AS "orders_value_subquery" ON "orders_value_subquery"."key" = "orders".id
      GROUP BY 1
    ) AS "customers_largest_subquery" ON "customers_largest_subquery"."key" = "customers".id
    LEFT JOIN orders AS "orders" ON "customers".id = "orders".customer_id
    LEFT JOIN (
      SELECT
        "orders".id AS "key",
        sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
      FROM orders AS "orders"
      LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
      GROUP BY 1
    ) AS "orders_value_subquery" ON "orders_value_subquery"."key" = "orders".id
    GROUP BY 1, 2
  ) AS "customers_keys"
  LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."customers__size"] = ARRAY["part_2"."customers__size"]
ORDER BY 1 ASC NULLS LAST
LIMIT $5
-- ["large","small","large","small",10000]
