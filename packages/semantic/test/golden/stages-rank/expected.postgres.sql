WITH "stage rows" AS (
  SELECT
    "customers".city AS "customers__city",
    "orders".status AS "orders__status",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1, 2
),
"stage rank_in_city" AS (
  SELECT
    "stage rows"."customers__city" AS "customers__city",
    "stage rows"."orders__status" AS "orders__status",
    rank() OVER (PARTITION BY "stage rows"."customers__city" ORDER BY CASE WHEN "stage rows"."orders__revenue_part" IS NULL THEN 1 ELSE 0 END, "stage rows"."orders__revenue_part" DESC) AS "orders__rank_in_city_part"
  FROM "stage rows" AS "stage rows"
)
SELECT
  "groups"."customers__city" AS "customers__city",
  "groups"."orders__status" AS "orders__status",
  "stage rows"."orders__revenue_part" AS "orders__revenue",
  "stage rank_in_city"."orders__rank_in_city_part" AS "orders__rank_in_city"
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
WHERE "stage rank_in_city"."orders__rank_in_city_part" <= CAST($1 AS NUMERIC)
ORDER BY 1 ASC NULLS LAST, 4 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $2
-- ["2",10000]
