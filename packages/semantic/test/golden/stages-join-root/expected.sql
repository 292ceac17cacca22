WITH "stage rows" AS (
  SELECT
    sum("orders".amount) AS "orders__revenue_so_far_part",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
),
"stage rows_2" AS (
  SELECT
    "part_1"."customers__count_part_2" AS "customers__count_part"
  FROM (
    SELECT
      count("customers".id) AS "customers__count_part_2"
    FROM (
      SELECT
        "customers".id AS "key_1"
      FROM orders AS "orders"
      LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
      GROUP BY 1
    ) AS "customers_keys"
    LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
  ) AS "part_1"
),
"stage city_revenue" AS (
  SELECT
    sum("stage rows"."orders__revenue_part") AS "orders__city_revenue_part"
  FROM "stage rows" AS "stage rows"
)
SELECT
  "stage rows"."orders__revenue_so_far_part" AS "orders__revenue_so_far",
  "stage city_revenue"."orders__city_revenue_part" AS "orders__city_revenue",
  "stage rows_2"."customers__count_part" AS "customers__count"
FROM "stage rows_2" AS "stage rows_2"
CROSS JOIN "stage rows" AS "stage rows"
CROSS JOIN "stage city_revenue" AS "stage city_revenue"
ORDER BY 1 DESC NULLS LAST
LIMIT $1
-- [10000]
