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
    "stage tier"."customers__tier_of_group" AS "customers__tier"
  FROM customers AS "customers"
  LEFT JOIN "stage tier" AS "stage tier" ON ARRAY["customers".id] = ARRAY["stage tier"."customers__id"]
  GROUP BY 1
)
SELECT
  "stage rows_2"."customers__tier" AS "customers__tier"
FROM "stage rows_2" AS "stage rows_2"
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
