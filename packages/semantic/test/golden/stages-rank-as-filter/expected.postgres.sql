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
"stage rank_in_city" AS (
  SELECT
    "stage rows"."customers__city" AS "customers__city",
    "stage rows"."orders__status" AS "orders__status",
    rank() OVER (PARTITION BY "stage rows"."customers__city" ORDER BY CASE WHEN "stage rows"."orders__revenue_part" IS NULL THEN 1 ELSE 0 END, "stage rows"."orders__revenue_part" DESC) AS "orders__rank_in_city_part"
  FROM "stage rows" AS "stage rows"
),
"stage best_status" AS (
  SELECT
    "groups"."customers__city" AS "customers__city",
    sum(CASE WHEN "stage rank_in_city"."orders__rank_in_city_part" = 1 THEN "stage rows"."orders__revenue_part" END) AS "orders__best_status_part"
  FROM (
    SELECT DISTINCT *
    FROM (
      SELECT
        "stage rows"."customers__city" AS "customers__city",
        "stage rows"."orders__status" AS "orders__status"
      FROM "stage rows" AS "stage rows"
      UNION ALL
      SELECT
        "stage rank_in_city"."customers__city" AS "customers__city",
        "stage rank_in_city"."orders__status" AS "orders__status"
      FROM "stage rank_in_city" AS "stage rank_in_city"
    ) AS "parts"
  ) AS "groups"
  LEFT JOIN "stage rows" AS "stage rows" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows"."customers__city"] AND ARRAY["groups"."orders__status"] = ARRAY["stage rows"."orders__status"]
  LEFT JOIN "stage rank_in_city" AS "stage rank_in_city" ON ARRAY["groups"."customers__city"] = ARRAY["stage rank_in_city"."customers__city"] AND ARRAY["groups"."orders__status"] = ARRAY["stage rank_in_city"."orders__status"]
  GROUP BY 1
)
SELECT
  "groups"."customers__city" AS "customers__city",
  "stage best_status"."orders__best_status_part" AS "orders__best_status",
  "stage rows_2"."orders__revenue_part_2" AS "orders__revenue"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_2"."customers__city" AS "customers__city"
    FROM "stage rows_2" AS "stage rows_2"
    UNION ALL
    SELECT
      "stage best_status"."customers__city" AS "customers__city"
    FROM "stage best_status" AS "stage best_status"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_2" AS "stage rows_2" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows_2"."customers__city"]
LEFT JOIN "stage best_status" AS "stage best_status" ON ARRAY["groups"."customers__city"] = ARRAY["stage best_status"."customers__city"]
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
