WITH "stage rows" AS (
  SELECT
    CASE WHEN "orders".status = $1 THEN "customers".city WHEN "orders".status = $2 THEN ('open') END AS "orders__place",
    "orders".status AS "orders__status",
    sum("orders".amount) AS "orders__revenue_part",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1, 2
),
"stage rows_2" AS (
  SELECT
    CASE WHEN "orders".status = $3 THEN "customers".city WHEN "orders".status = $4 THEN ('open') END AS "orders__place",
    count(*) AS "orders__count_part_2"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
),
"stage weighed" AS (
  SELECT
    "stage rows"."orders__place" AS "orders__place",
    sum(CASE WHEN "stage rows"."orders__status" = $5 THEN "stage rows"."orders__revenue_part" WHEN "stage rows"."orders__status" = $6 THEN ("stage rows"."orders__count_part" * 100) END) AS "orders__weighed_part"
  FROM "stage rows" AS "stage rows"
  GROUP BY 1
)
SELECT
  "groups"."orders__place" AS "orders__place",
  "stage weighed"."orders__weighed_part" AS "orders__weighed",
  "stage rows_2"."orders__count_part_2" AS "orders__count"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_2"."orders__place" AS "orders__place"
    FROM "stage rows_2" AS "stage rows_2"
    UNION ALL
    SELECT
      "stage weighed"."orders__place" AS "orders__place"
    FROM "stage weighed" AS "stage weighed"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_2" AS "stage rows_2" ON ARRAY["groups"."orders__place"] = ARRAY["stage rows_2"."orders__place"]
LEFT JOIN "stage weighed" AS "stage weighed" ON ARRAY["groups"."orders__place"] = ARRAY["stage weighed"."orders__place"]
ORDER BY 1 ASC NULLS LAST
LIMIT $7
-- ["done","open","done","open","done","open",10000]
