WITH "stage rows" AS (
  SELECT
    "orders".status AS "orders__status",
    "customers".id AS "customers__id",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1, 2
),
"stage rows_2" AS (
  SELECT
    "orders".status AS "orders__status",
    "customers".city AS "customers__city"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1, 2
),
"stage total_per_customer" AS (
  SELECT
    "stage rows"."orders__status" AS "orders__status",
    avg("stage rows"."orders__revenue_part") AS "orders__total_per_customer_part"
  FROM "stage rows" AS "stage rows"
  GROUP BY 1
),
"stage best_customer groups" AS (
  SELECT
    "stage rows"."orders__status" AS "orders__status"
  FROM "stage rows" AS "stage rows"
  GROUP BY 1
),
"stage best_customer values" AS (
  SELECT
    max("stage rows"."orders__revenue_part") AS "orders__best_customer_part"
  FROM "stage rows" AS "stage rows"
),
"stage best_customer" AS (
  SELECT
    "stage best_customer groups"."orders__status" AS "orders__status",
    "stage best_customer values"."orders__best_customer_part" AS "orders__best_customer_part"
  FROM "stage best_customer groups" AS "stage best_customer groups"
  CROSS JOIN "stage best_customer values" AS "stage best_customer values"
),
"stage cities groups" AS (
  SELECT
    "stage rows_2"."orders__status" AS "orders__status"
  FROM "stage rows_2" AS "stage rows_2"
  GROUP BY 1
),
"stage cities values" AS (
  SELECT
    count(DISTINCT "stage rows_2"."customers__city") AS "orders__cities_part"
  FROM "stage rows_2" AS "stage rows_2"
),
"stage cities" AS (
  SELECT
    "stage cities groups"."orders__status" AS "orders__status",
    "stage cities values"."orders__cities_part" AS "orders__cities_part"
  FROM "stage cities groups" AS "stage cities groups"
  CROSS JOIN "stage cities values" AS "stage cities values"
),
"stage spread" AS (
  SELECT
    "stage rows"."orders__status" AS "orders__status",
    max("stage rows"."orders__revenue_part") - min("stage rows"."orders__revenue_part") AS "orders__spread_part"
  FROM "stage rows" AS "stage rows"
  GROUP BY 1
)
SELECT
  "groups"."orders__status" AS "orders__status",
  "stage total_per_customer"."orders__total_per_customer_part" AS "orders__total_per_customer",
  "stage best_customer"."orders__best_customer_part" AS "orders__best_customer",
  "stage cities"."orders__cities_part" AS "orders__cities",
  "stage spread"."orders__spread_part" AS "orders__spread"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage total_per_customer"."orders__status" AS "orders__status"
    FROM "stage total_per_customer" AS "stage total_per_customer"
    UNION ALL
    SELECT
      "stage best_customer"."orders__status" AS "orders__status"
    FROM "stage best_customer" AS "stage best_customer"
    UNION ALL
    SELECT
      "stage cities"."orders__status" AS "orders__status"
    FROM "stage cities" AS "stage cities"
    UNION ALL
    SELECT
      "stage spread"."orders__status" AS "orders__status"
    FROM "stage spread" AS "stage spread"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage total_per_customer" AS "stage total_per_customer" ON ARRAY["groups"."orders__status"] = ARRAY["stage total_per_customer"."orders__status"]
LEFT JOIN "stage best_customer" AS "stage best_customer" ON ARRAY["groups"."orders__status"] = ARRAY["stage best_customer"."orders__status"]
LEFT JOIN "stage cities" AS "stage cities" ON ARRAY["groups"."orders__status"] = ARRAY["stage cities"."orders__status"]
LEFT JOIN "stage spread" AS "stage spread" ON ARRAY["groups"."orders__status"] = ARRAY["stage spread"."orders__status"]
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
