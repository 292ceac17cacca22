WITH "stage rows" AS (
  SELECT
    "customers".id AS "customers__id",
    min("orders".created_at) AS "orders__first_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
),
"stage first_order" AS (
  SELECT
    "stage rows"."customers__id" AS "customers__id",
    "stage rows"."orders__first_part" AS "customers__first_order_of_group"
  FROM "stage rows" AS "stage rows"
),
"stage rows_2" AS (
  SELECT
    date_trunc('month', CAST("stage first_order"."customers__first_order_of_group" AS TIMESTAMP)) AS "customers__first_order_month",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  LEFT JOIN "stage first_order" AS "stage first_order" ON ARRAY["customers".id] = ARRAY["stage first_order"."customers__id"]
  WHERE "stage first_order"."customers__first_order_of_group" >= CAST($1 AS TIMESTAMP) AND "stage first_order"."customers__first_order_of_group" <= CAST($2 AS TIMESTAMP)
  GROUP BY 1
)
SELECT
  "stage rows_2"."customers__first_order_month" AS "customers__first_order_month",
  "stage rows_2"."orders__count_part" AS "orders__count"
FROM "stage rows_2" AS "stage rows_2"
ORDER BY 1 ASC NULLS LAST
LIMIT $3
-- ["2024-01-01T00:00:00.000","2024-06-30T23:59:59.999",10000]
