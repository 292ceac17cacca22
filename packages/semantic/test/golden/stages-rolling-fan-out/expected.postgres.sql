WITH "stage rows" AS (
  SELECT
    "part_1"."line_items__product_id" AS "line_items__product_id",
    "part_1"."orders__created_at_month" AS "orders__created_at_month",
    "part_1"."orders__revenue_so_far_part_3" AS "orders__revenue_so_far_part"
  FROM (
    SELECT
      "orders_keys"."line_items__product_id" AS "line_items__product_id",
      "orders_keys"."orders__created_at_month" AS "orders__created_at_month",
      sum("orders".amount) AS "orders__revenue_so_far_part_3"
    FROM (
      SELECT
        "line_items".product_id AS "line_items__product_id",
        date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
        "orders".id AS "key_1"
      FROM orders AS "orders"
      LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
      WHERE "orders".created_at <= CAST($1 AS TIMESTAMP)
      GROUP BY 1, 2, 3
    ) AS "orders_keys"
    LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
    GROUP BY 1, 2
  ) AS "part_1"
),
"stage periods" AS (
  SELECT (CAST($2 AS TIMESTAMP) + "steps"."step" * 1 * INTERVAL '1 month') AS "period"
  FROM generate_series(0, 2) AS "steps"("step")
),
"stage rows_2" AS (
  SELECT
    "line_items".product_id AS "line_items__product_id",
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    "orders".id AS "key_1"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
  WHERE "orders".created_at <= CAST($3 AS TIMESTAMP)
  GROUP BY 1, 2, 3
),
"stage rows_3" AS (
  SELECT
    "line_items".product_id AS "line_items__product_id",
    date_trunc('day', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_day",
    "orders".customer_id AS "orders__buyers_60_days_value"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
  WHERE "orders".created_at >= CAST($4 AS TIMESTAMP) AND "orders".created_at <= CAST($5 AS TIMESTAMP)
  GROUP BY 1, 2, 3
),
"stage rows_4" AS (
  SELECT
    "line_items".product_id AS "line_items__product_id",
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    sum("line_items".quantity) AS "line_items__quantity_part"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
  WHERE "orders".created_at >= CAST($6 AS TIMESTAMP) AND "orders".created_at <= CAST($7 AS TIMESTAMP)
  GROUP BY 1, 2
),
"stage windows" AS (
  SELECT
    "stage rows"."line_items__product_id" AS "line_items__product_id",
    "stage periods"."period" AS "orders__created_at_month",
    sum("stage rows"."orders__revenue_so_far_part") AS "orders__revenue_so_far_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows" AS "stage rows" ON "stage rows"."orders__created_at_month" < ("stage periods"."period" + 1 * INTERVAL '1 month')
  GROUP BY 1, 2
),
"stage windows_2" AS (
  SELECT
    "orders_keys"."line_items__product_id" AS "line_items__product_id",
    "orders_keys"."orders__created_at_month" AS "orders__created_at_month",
    avg("orders".amount) AS "orders__average_so_far_part"
  FROM (
    SELECT
      "stage rows_2"."line_items__product_id" AS "line_items__product_id",
      "stage periods"."period" AS "orders__created_at_month",
      "stage rows_2"."key_1" AS "key_1"
    FROM "stage periods" AS "stage periods"
    LEFT JOIN "stage rows_2" AS "stage rows_2" ON "stage rows_2"."orders__created_at_month" < ("stage periods"."period" + 1 * INTERVAL '1 month')
    GROUP BY 1, 2, 3
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1, 2
),
"stage windows_3" AS (
  SELECT
    "stage rows_3"."line_items__product_id" AS "line_items__product_id",
    "stage periods"."period" AS "orders__created_at_month",
    count(DISTINCT "stage rows_3"."orders__buyers_60_days_value") AS "orders__buyers_60_days_part"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows_3" AS "stage rows_3" ON "stage rows_3"."orders__created_at_day" >= (("stage periods"."period" + 1 * INTERVAL '1 month') - INTERVAL '5184000000 milliseconds') AND "stage rows_3"."orders__created_at_day" < ("stage periods"."period" + 1 * INTERVAL '1 month')
  GROUP BY 1, 2
)
SELECT
  "groups"."line_items__product_id" AS "line_items__product_id",
  "groups"."orders__created_at_month" AS "orders__created_at_month",
  "stage windows"."orders__revenue_so_far_part_2" AS "orders__revenue_so_far",
  "stage windows_2"."orders__average_so_far_part" AS "orders__average_so_far",
  "stage windows_3"."orders__buyers_60_days_part" AS "orders__buyers_60_days",
  "stage rows_4"."line_items__quantity_part" AS "line_items__quantity"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_4"."line_items__product_id" AS "line_items__product_id",
      "stage rows_4"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage rows_4" AS "stage rows_4"
    UNION ALL
    SELECT
      "stage windows"."line_items__product_id" AS "line_items__product_id",
      "stage windows"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage windows" AS "stage windows"
    UNION ALL
    SELECT
      "stage windows_2"."line_items__product_id" AS "line_items__product_id",
      "stage windows_2"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage windows_2" AS "stage windows_2"
    UNION ALL
    SELECT
      "stage windows_3"."line_items__product_id" AS "line_items__product_id",
      "stage windows_3"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage windows_3" AS "stage windows_3"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_4" AS "stage rows_4" ON ARRAY["groups"."line_items__product_id"] = ARRAY["stage rows_4"."line_items__product_id"] AND "groups"."orders__created_at_month" = "stage rows_4"."orders__created_at_month"
LEFT JOIN "stage windows" AS "stage windows" ON ARRAY["groups"."line_items__product_id"] = ARRAY["stage windows"."line_items__product_id"] AND "groups"."orders__created_at_month" = "stage windows"."orders__created_at_month"
LEFT JOIN "stage windows_2" AS "stage windows_2" ON ARRAY["groups"."line_items__product_id"] = ARRAY["stage windows_2"."line_items__product_id"] AND "groups"."orders__created_at_month" = "stage windows_2"."orders__created_at_month"
LEFT JOIN "stage windows_3" AS "stage windows_3" ON ARRAY["groups"."line_items__product_id"] = ARRAY["stage windows_3"."line_items__product_id"] AND "groups"."orders__created_at_month" = "stage windows_3"."orders__created_at_month"
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT $8
-- ["2024-03-31T23:59:59.999","2024-01-01T00:00:00.000","2024-03-31T23:59:59.999","2023-12-03T00:00:00.000","2024-03-31T23:59:59.999","2024-01-01T00:00:00.000","2024-03-31T23:59:59.999",10000]
