SELECT
  "part_1"."customers__city" AS "customers__city",
  "part_2"."orders__count_part" AS "orders__count",
  "part_2"."orders__average_value_part" AS "orders__average_value",
  "part_2"."orders__valuable_part" AS "orders__valuable",
  "part_2"."orders__total_excess_part" AS "orders__total_excess",
  "part_1"."line_items__quantity_part" AS "line_items__quantity"
FROM (
  SELECT
    "customers".city AS "customers__city",
    sum("line_items".quantity) AS "line_items__quantity_part"
  FROM orders AS "orders"
  LEFT JOIN (
    SELECT
      "orders".id AS "key",
      sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    GROUP BY 1
  ) AS "orders_value_subquery" ON "orders_value_subquery"."key" = "orders".id
  LEFT JOIN (
    SELECT
      "orders".id AS "key",
      sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    GROUP BY 1
  ) AS "orders_excess_subquery" ON "orders_excess_subquery"."key" = "orders".id
  LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders_value_subquery"."line_items__value" < CAST($1 AS NUMERIC) OR "orders_value_subquery"."line_items__value" IS NULL
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."customers__city" AS "customers__city",
    count("orders".id) AS "orders__count_part",
    avg("orders_value_subquery"."line_items__value") AS "orders__average_value_part",
    count(CASE WHEN "orders_value_subquery"."line_items__value" > 10 THEN "orders".id END) AS "orders__valuable_part",
    sum(CASE WHEN "orders".id IS NOT NULL THEN (coalesce("orders_excess_subquery"."line_items__value", 0) - "orders".amount) END) AS "orders__total_excess_part"
  FROM (
    SELECT
      "customers".city AS "customers__city",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN (
      SELECT
        "orders".id AS "key",
        sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
      FROM orders AS "orders"
      LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
      GROUP BY 1
    ) AS "orders_value_subquery" ON "orders_value_subquery"."key" = "orders".id
    LEFT JOIN (
      SELECT
        "orders".id AS "key",
        sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
      FROM orders AS "orders"
      LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
      GROUP BY 1
    ) AS "orders_excess_subquery" ON "orders_excess_subquery"."key" = "orders".id
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    WHERE "orders_value_subquery"."line_items__value" < CAST($2 AS NUMERIC) OR "orders_value_subquery"."line_items__value" IS NULL
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  LEFT JOIN (
    SELECT
      "orders".id AS "key",
      sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    GROUP BY 1
  ) AS "orders_value_subquery" ON "orders_value_subquery"."key" = "orders".id
  LEFT JOIN (
    SELECT
      "orders".id AS "key",
      sum(CASE WHEN "line_items".order_id IS NOT NULL THEN ("line_items".quantity * "line_items".price) END) AS "line_items__value"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    GROUP BY 1
  ) AS "orders_excess_subquery" ON "orders_excess_subquery"."key" = "orders".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."customers__city"] = ARRAY["part_2"."customers__city"]
ORDER BY 1 ASC NULLS LAST
LIMIT $3
-- ["60","60",10000]
