WITH "stage rows" AS (
  SELECT
    "customers".id AS "customers__id",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
),
"stage tier" AS (
  SELECT
    "stage rows"."customers__id" AS "customers__id",
    CASE WHEN "stage rows"."orders__revenue_part" > 20 THEN 'big' ELSE 'small' END AS "customers__tier_of_group"
  FROM "stage rows" AS "stage rows"
),
"stage rows_2" AS (
  SELECT
    "part_1"."customers__tier" AS "customers__tier",
    "part_1"."orders__count_part_2" AS "orders__count_part",
    "part_1"."orders__revenue_part_4" AS "orders__revenue_part_2",
    "part_2"."customers__count_part_2" AS "customers__count_part"
  FROM (
    SELECT
      "stage tier"."customers__tier_of_group" AS "customers__tier",
      count(*) AS "orders__count_part_2",
      sum("orders".amount) AS "orders__revenue_part_4"
    FROM orders AS "orders"
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN "stage tier" AS "stage tier" ON "customers".id IS NOT DISTINCT FROM "stage tier"."customers__id"
    GROUP BY 1
  ) AS "part_1"
  JOIN (
    SELECT
      "customers_keys"."customers__tier" AS "customers__tier",
      count("customers".id) AS "customers__count_part_2"
    FROM (
      SELECT
        "stage tier"."customers__tier_of_group" AS "customers__tier",
        "customers".id AS "key_1"
      FROM orders AS "orders"
      LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
      LEFT JOIN "stage tier" AS "stage tier" ON "customers".id IS NOT DISTINCT FROM "stage tier"."customers__id"
      GROUP BY 1, 2
    ) AS "customers_keys"
    LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
    GROUP BY 1
  ) AS "part_2" ON "part_1"."customers__tier" IS NOT DISTINCT FROM "part_2"."customers__tier"
)
SELECT
  "stage rows_2"."customers__tier" AS "customers__tier",
  "stage rows_2"."orders__count_part" AS "orders__count",
  "stage rows_2"."orders__revenue_part_2" AS "orders__revenue",
  "stage rows_2"."customers__count_part" AS "customers__count"
FROM "stage rows_2" AS "stage rows_2"
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
