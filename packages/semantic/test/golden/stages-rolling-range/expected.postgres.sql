WITH "stage rows" AS (
  SELECT
    "customers".city AS "customers__city",
    sum("orders".amount) AS "orders__revenue_60_days_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders".created_at >= CAST($1 AS TIMESTAMP) AND "orders".created_at <= CAST($2 AS TIMESTAMP)
  GROUP BY 1
),
"stage rows_2" AS (
  SELECT
    "customers".city AS "customers__city",
    sum("orders".amount) AS "orders__revenue_so_far_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders".created_at <= CAST($3 AS TIMESTAMP)
  GROUP BY 1
),
"stage rows_3" AS (
  SELECT
    "customers".city AS "customers__city",
    sum("orders".amount) AS "orders__this_year_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders".created_at >= CAST($4 AS TIMESTAMP) AND "orders".created_at <= CAST($5 AS TIMESTAMP)
  GROUP BY 1
),
"stage rows_4" AS (
  SELECT
    "customers".city AS "customers__city",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders".created_at >= CAST($6 AS TIMESTAMP) AND "orders".created_at <= CAST($7 AS TIMESTAMP)
  GROUP BY 1
)
SELECT
  "groups"."customers__city" AS "customers__city",
  "stage rows"."orders__revenue_60_days_part" AS "orders__revenue_60_days",
  "stage rows_2"."orders__revenue_so_far_part" AS "orders__revenue_so_far",
  "stage rows_3"."orders__this_year_part" AS "orders__this_year",
  "stage rows_4"."orders__count_part" AS "orders__count"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_4"."customers__city" AS "customers__city"
    FROM "stage rows_4" AS "stage rows_4"
    UNION ALL
    SELECT
      "stage rows"."customers__city" AS "customers__city"
    FROM "stage rows" AS "stage rows"
    UNION ALL
    SELECT
      "stage rows_2"."customers__city" AS "customers__city"
    FROM "stage rows_2" AS "stage rows_2"
    UNION ALL
    SELECT
      "stage rows_3"."customers__city" AS "customers__city"
    FROM "stage rows_3" AS "stage rows_3"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_4" AS "stage rows_4" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows_4"."customers__city"]
LEFT JOIN "stage rows" AS "stage rows" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows"."customers__city"]
LEFT JOIN "stage rows_2" AS "stage rows_2" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows_2"."customers__city"]
LEFT JOIN "stage rows_3" AS "stage rows_3" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows_3"."customers__city"]
WHERE "stage rows_2"."orders__revenue_so_far_part" > CAST($8 AS NUMERIC)
ORDER BY 1 ASC NULLS LAST
LIMIT $9
-- ["2024-09-04T00:00:00.000","2024-11-02T23:59:59.999","2024-11-02T23:59:59.999","2024-01-01T00:00:00.000","2024-11-02T23:59:59.999","2024-03-01T00:00:00.000","2024-11-02T23:59:59.999","40",10000]
