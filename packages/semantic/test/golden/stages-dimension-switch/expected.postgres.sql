WITH "stage rows" AS (
  SELECT
    "orders".amount AS "orders__price",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  WHERE "orders".amount <> CAST($1 AS NUMERIC) OR "orders".amount IS NULL
  GROUP BY 1
),
"stage rows_3" AS (
  SELECT
    "orders".amount * 2 AS "orders__price",
    count(*) AS "orders__count_part_2"
  FROM orders AS "orders"
  WHERE ("orders".amount * 2) <> CAST($2 AS NUMERIC) OR ("orders".amount * 2) IS NULL
  GROUP BY 1
),
"stage rows_5" AS (
  SELECT
    -1 AS "orders__price",
    count(*) AS "orders__count_part_4"
  FROM orders AS "orders"
  WHERE (-1) <> CAST($3 AS NUMERIC) OR (-1) IS NULL
  GROUP BY 1
),
"stage size_in" AS (
  SELECT
    "stage rows"."orders__price" AS "orders__price",
    CASE WHEN "stage rows"."orders__revenue_part" > 10 THEN 'large' ELSE 'small' END AS "orders__size_in_of_group"
  FROM "stage rows" AS "stage rows"
),
"stage rows_2" AS (
  SELECT
    "orders".amount AS "orders__price",
    "stage size_in"."orders__size_in_of_group" AS "orders__size_in",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  LEFT JOIN "stage size_in" AS "stage size_in" ON ARRAY["orders".amount] = ARRAY["stage size_in"."orders__price"]
  WHERE "orders".amount <> CAST($4 AS NUMERIC) OR "orders".amount IS NULL
  GROUP BY 1, 2
),
"stage size_in_2" AS (
  SELECT
    "stage rows_3"."orders__price" AS "orders__price",
    CASE WHEN "stage rows_3"."orders__count_part_2" > 2 THEN 'many' ELSE 'few' END AS "orders__size_in_of_group_2"
  FROM "stage rows_3" AS "stage rows_3"
),
"stage rows_4" AS (
  SELECT
    "orders".amount * 2 AS "orders__price",
    "stage size_in_2"."orders__size_in_of_group_2" AS "orders__size_in",
    count(*) AS "orders__count_part_3"
  FROM orders AS "orders"
  LEFT JOIN "stage size_in_2" AS "stage size_in_2" ON ARRAY[("orders".amount * 2)] = ARRAY["stage size_in_2"."orders__price"]
  WHERE ("orders".amount * 2) <> CAST($5 AS NUMERIC) OR ("orders".amount * 2) IS NULL
  GROUP BY 1, 2
),
"stage size_in_3" AS (
  SELECT
    "stage rows_5"."orders__price" AS "orders__price",
    CASE WHEN "stage rows_5"."orders__count_part_4" > 2 THEN 'many' ELSE 'few' END AS "orders__size_in_of_group_3"
  FROM "stage rows_5" AS "stage rows_5"
),
"stage rows_6" AS (
  SELECT
    -1 AS "orders__price",
    "stage size_in_3"."orders__size_in_of_group_3" AS "orders__size_in",
    count(*) AS "orders__count_part_5"
  FROM orders AS "orders"
  LEFT JOIN "stage size_in_3" AS "stage size_in_3" ON ARRAY[(-1)] = ARRAY["stage size_in_3"."orders__price"]
  WHERE (-1) <> CAST($6 AS NUMERIC) OR (-1) IS NULL
  GROUP BY 1, 2
)
SELECT
  "choices"."orders__currency" AS "orders__currency",
  "choices"."orders__price" AS "orders__price",
  "choices"."orders__size_in" AS "orders__size_in",
  "choices"."orders__count" AS "orders__count"
FROM (
  SELECT
    $7 AS "orders__currency",
    "stage rows_2"."orders__price" AS "orders__price",
    "stage rows_2"."orders__size_in" AS "orders__size_in",
    "stage rows_2"."orders__count_part" AS "orders__count"
  FROM "stage rows_2" AS "stage rows_2"
  UNION ALL
  SELECT
    $8 AS "orders__currency",
    "stage rows_4"."orders__price" AS "orders__price",
    "stage rows_4"."orders__size_in" AS "orders__size_in",
    "stage rows_4"."orders__count_part_3" AS "orders__count"
  FROM "stage rows_4" AS "stage rows_4"
  UNION ALL
  SELECT
    $9 AS "orders__currency",
    "stage rows_6"."orders__price" AS "orders__price",
    "stage rows_6"."orders__size_in" AS "orders__size_in",
    "stage rows_6"."orders__count_part_5" AS "orders__count"
  FROM "stage rows_6" AS "stage rows_6"
) AS "choices"
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST
LIMIT $10
-- ["2","2","2","2","2","2","EUR","USD","GBP",10000]
