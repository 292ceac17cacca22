WITH "stage rows" AS (
  SELECT
    "customers".city AS "customers__city",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
),
"stage rows_2" AS (
  SELECT
    "customers".city AS "customers__city",
    sum("orders".amount) AS "orders__revenue_part_2"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders".status = $1
  GROUP BY 1
  HAVING sum("orders".amount) > CAST($2 AS NUMERIC)
),
"stage rows_3" AS (
  SELECT
    "customers".city AS "customers__city",
    sum("orders".amount) AS "orders__revenue_part_3"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders".status = $3
  GROUP BY 1
),
"stage all_statuses" AS (
  SELECT
    "stage rows"."customers__city" AS "customers__city",
    "stage rows"."orders__revenue_part" AS "orders__all_statuses_part"
  FROM "stage rows" AS "stage rows"
),
"stage done_only" AS (
  SELECT
    "stage rows_2"."customers__city" AS "customers__city",
    sum("stage rows_2"."orders__revenue_part_2") AS "orders__done_only_part"
  FROM "stage rows_2" AS "stage rows_2"
  GROUP BY 1
),
"stage query_filters" AS (
  SELECT
    "stage rows_3"."customers__city" AS "customers__city",
    "stage rows_3"."orders__revenue_part_3" AS "orders__query_filters_part"
  FROM "stage rows_3" AS "stage rows_3"
),
"stage query_filters_2" AS (
  SELECT
    "stage rows_3"."customers__city" AS "customers__city",
    "stage rows_3"."orders__revenue_part_3" AS "orders__query_filters_part_2"
  FROM "stage rows_3" AS "stage rows_3"
),
"stage fixed_inside" AS (
  SELECT
    "stage query_filters_2"."customers__city" AS "customers__city",
    "stage query_filters_2"."orders__query_filters_part_2" AS "orders__fixed_inside_part"
  FROM "stage query_filters_2" AS "stage query_filters_2"
)
SELECT
  "groups"."customers__city" AS "customers__city",
  "stage rows_3"."orders__revenue_part_3" AS "orders__revenue",
  "stage all_statuses"."orders__all_statuses_part" AS "orders__all_statuses",
  "stage done_only"."orders__done_only_part" AS "orders__done_only",
  "stage query_filters"."orders__query_filters_part" AS "orders__query_filters",
  "stage fixed_inside"."orders__fixed_inside_part" AS "orders__fixed_inside"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_3"."customers__city" AS "customers__city"
    FROM "stage rows_3" AS "stage rows_3"
    UNION ALL
    SELECT
      "stage all_statuses"."customers__city" AS "customers__city"
    FROM "stage all_statuses" AS "stage all_statuses"
    UNION ALL
    SELECT
      "stage done_only"."customers__city" AS "customers__city"
    FROM "stage done_only" AS "stage done_only"
    UNION ALL
    SELECT
      "stage query_filters"."customers__city" AS "customers__city"
    FROM "stage query_filters" AS "stage query_filters"
    UNION ALL
    SELECT
      "stage fixed_inside"."customers__city" AS "customers__city"
    FROM "stage fixed_inside" AS "stage fixed_inside"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_3" AS "stage rows_3" ON ARRAY["groups"."customers__city"] = ARRAY["stage rows_3"."customers__city"]
LEFT JOIN "stage all_statuses" AS "stage all_statuses" ON ARRAY["groups"."customers__city"] = ARRAY["stage all_statuses"."customers__city"]
LEFT JOIN "stage done_only" AS "stage done_only" ON ARRAY["groups"."customers__city"] = ARRAY["stage done_only"."customers__city"]
LEFT JOIN "stage query_filters" AS "stage query_filters" ON ARRAY["groups"."customers__city"] = ARRAY["stage query_filters"."customers__city"]
LEFT JOIN "stage fixed_inside" AS "stage fixed_inside" ON ARRAY["groups"."customers__city"] = ARRAY["stage fixed_inside"."customers__city"]
ORDER BY 1 ASC NULLS LAST
LIMIT $4
-- ["done","5","open",10000]
