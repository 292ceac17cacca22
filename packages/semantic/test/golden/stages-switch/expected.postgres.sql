WITH "stage rows" AS (
  SELECT
    "customers".city AS "customers__city",
    "orders".status AS "orders__status",
    sum("orders".amount) AS "orders__revenue_part",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1, 2
),
"stage rows_2" AS (
  SELECT
    "customers".city AS "customers__city",
    sum("orders".amount) AS "orders__revenue_part_2",
    count(*) AS "orders__count_part_2"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
),
"stage best_in" AS (
  SELECT
    "stage rows"."customers__city" AS "customers__city",
    max("stage rows"."orders__revenue_part") AS "orders__best_in_part"
  FROM "stage rows" AS "stage rows"
  GROUP BY 1
),
"stage best_in_2" AS (
  SELECT
    "stage rows"."customers__city" AS "customers__city",
    max("stage rows"."orders__revenue_part" * 2) AS "orders__best_in_part_2"
  FROM "stage rows" AS "stage rows"
  GROUP BY 1
),
"stage best_in_3" AS (
  SELECT
    "stage rows"."customers__city" AS "customers__city",
    max("stage rows"."orders__count_part") AS "orders__best_in_part_3"
  FROM "stage rows" AS "stage rows"
  GROUP BY 1
)
SELECT
  "choices"."customers__city" AS "customers__city",
  "choices"."orders__currency" AS "orders__currency",
  "choices"."orders__revenue_in" AS "orders__revenue_in",
  "choices"."orders__best_in" AS "orders__best_in",
  "choices"."orders__revenue" AS "orders__revenue"
FROM (
  SELECT
    "groups"."customers__city" AS "customers__city",
    $1 AS "orders__currency",
    "stage rows_2"."orders__revenue_part_2" AS "orders__revenue_in",
    "stage best_in"."orders__best_in_part" AS "orders__best_in",
    "stage rows_2"."orders__revenue_part_2" AS "orders__revenue"
  FROM (
    SELECT DISTINCT *
    FROM (
      SELECT
        "stage rows_2"."customers__city" AS "customers__city"
      FROM "stage rows_2" AS "stage rows_2"
      UNION ALL
      SELECT
        "stage best_in"."customers__city" AS "customers__city"
      FROM "stage best_in" AS "stage best_in"
    ) AS "parts"
  ) AS "groups"
  LEFT JOIN "stage rows_2" AS "stage rows_2" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows_2"."customers__city"]
  LEFT JOIN "stage best_in" AS "stage best_in" ON ARRAY["groups"."customers__city"] = ARRAY["stage best_in"."customers__city"]
  WHERE "stage rows_2"."orders__revenue_part_2" < CAST($2 AS NUMERIC)
  UNION ALL
  SELECT
    "groups"."customers__city" AS "customers__city",
    $3 AS "orders__currency",
    "stage rows_2"."orders__revenue_part_2" * 2 AS "orders__revenue_in",
    "stage best_in_2"."orders__best_in_part_2" AS "orders__best_in",
    "stage rows_2"."orders__revenue_part_2" AS "orders__revenue"
  FROM (
    SELECT DISTINCT *
    FROM (
      SELECT
        "stage rows_2"."customers__city" AS "customers__city"
      FROM "stage rows_2" AS "stage rows_2"
      UNION ALL
      SELECT
        "stage best_in_2"."customers__city" AS "customers__city"
      FROM "stage best_in_2" AS "stage best_in_2"
    ) AS "parts"
  ) AS "groups"
  LEFT JOIN "stage rows_2" AS "stage rows_2" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows_2"."customers__city"]
  LEFT JOIN "stage best_in_2" AS "stage best_in_2" ON ARRAY["groups"."customers__city"] = ARRAY["stage best_in_2"."customers__city"]
  WHERE ("stage rows_2"."orders__revenue_part_2" * 2) < CAST($4 AS NUMERIC)
  UNION ALL
  SELECT
    "groups"."customers__city" AS "customers__city",
    $5 AS "orders__currency",
    "stage rows_2"."orders__count_part_2" AS "orders__revenue_in",
    "stage best_in_3"."orders__best_in_part_3" AS "orders__best_in",
    "stage rows_2"."orders__revenue_part_2" AS "orders__revenue"
  FROM (
    SELECT DISTINCT *
    FROM (
      SELECT
        "stage rows_2"."customers__city" AS "customers__city"
      FROM "stage rows_2" AS "stage rows_2"
      UNION ALL
      SELECT
        "stage best_in_3"."customers__city" AS "customers__city"
      FROM "stage best_in_3" AS "stage best_in_3"
    ) AS "parts"
  ) AS "groups"
  LEFT JOIN "stage rows_2" AS "stage rows_2" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows_2"."customers__city"]
  LEFT JOIN "stage best_in_3" AS "stage best_in_3" ON ARRAY["groups"."customers__city"] = ARRAY["stage best_in_3"."customers__city"]
  WHERE "stage rows_2"."orders__count_part_2" < CAST($6 AS NUMERIC)
) AS "choices"
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $7
-- ["EUR","100","USD","100","GBP","100",10000]
