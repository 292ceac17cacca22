WITH "stage rows" AS (
  SELECT
    "customers".city AS "customers__city",
    "orders".status AS "orders__status",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1, 2
),
"stage rows_2" AS (
  SELECT
    "customers".city AS "customers__city",
    sum("orders".amount) AS "orders__revenue_part_2"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
),
"stage city_revenue" AS (
  SELECT
    "stage rows"."customers__city" AS "customers__city",
    "stage rows"."orders__status" AS "orders__status",
    sum("stage rows"."orders__revenue_part") OVER (PARTITION BY "stage rows"."customers__city") AS "orders__city_revenue_part"
  FROM "stage rows" AS "stage rows"
),
"stage without_status groups" AS (
  SELECT
    "stage rows"."customers__city" AS "customers__city",
    "stage rows"."orders__status" AS "orders__status"
  FROM "stage rows" AS "stage rows"
  GROUP BY 1, 2
),
"stage without_status values" AS (
  SELECT
    "stage rows_2"."customers__city" AS "customers__city",
    "stage rows_2"."orders__revenue_part_2" AS "orders__without_status_part"
  FROM "stage rows_2" AS "stage rows_2"
),
"stage without_status" AS (
  SELECT
    "stage without_status groups"."customers__city" AS "customers__city",
    "stage without_status groups"."orders__status" AS "orders__status",
    "stage without_status values"."orders__without_status_part" AS "orders__without_status_part"
  FROM "stage without_status groups" AS "stage without_status groups"
  LEFT JOIN "stage without_status values" AS "stage without_status values" ON ARRAY["stage without_status groups"."customers__city"] = ARRAY["stage without_status values"."customers__city"]
)
SELECT
  "groups"."customers__city" AS "customers__city",
  "groups"."orders__status" AS "orders__status",
  "stage rows"."orders__revenue_part" AS "orders__revenue",
  "stage city_revenue"."orders__city_revenue_part" AS "orders__city_revenue",
  1e0 * "stage rows"."orders__revenue_part" / NULLIF("stage city_revenue"."orders__city_revenue_part", 0) AS "orders__share_of_city",
  "stage without_status"."orders__without_status_part" AS "orders__without_status"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows"."customers__city" AS "customers__city",
      "stage rows"."orders__status" AS "orders__status"
    FROM "stage rows" AS "stage rows"
    UNION ALL
    SELECT
      "stage city_revenue"."customers__city" AS "customers__city",
      "stage city_revenue"."orders__status" AS "orders__status"
    FROM "stage city_revenue" AS "stage city_revenue"
    UNION ALL
    SELECT
      "stage without_status"."customers__city" AS "customers__city",
      "stage without_status"."orders__status" AS "orders__status"
    FROM "stage without_status" AS "stage without_status"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows" AS "stage rows" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows"."customers__city"] AND ARRAY["groups"."orders__status"] = ARRAY["stage rows"."orders__status"]
LEFT JOIN "stage city_revenue" AS "stage city_revenue" ON ARRAY["groups"."customers__city"] = ARRAY["stage city_revenue"."customers__city"] AND ARRAY["groups"."orders__status"] = ARRAY["stage city_revenue"."orders__status"]
LEFT JOIN "stage without_status" AS "stage without_status" ON ARRAY["groups"."customers__city"] = ARRAY["stage without_status"."customers__city"] AND ARRAY["groups"."orders__status"] = ARRAY["stage without_status"."orders__status"]
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $1
-- [10000]
