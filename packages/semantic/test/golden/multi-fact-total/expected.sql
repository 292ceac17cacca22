WITH "hedron_fact_1" AS (
  SELECT
    count(*) AS "orders__count_part",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
), "hedron_fact_2" AS (
  SELECT
    sum("profiles".points) AS "profiles__points_part"
  FROM profiles AS "profiles"
  WHERE "profiles".level = $1
)
SELECT
  "hedron_fact_1"."orders__count_part" AS "activity__count",
  "hedron_fact_2"."profiles__points_part" AS "activity__points"
FROM "hedron_fact_1"
CROSS JOIN "hedron_fact_2"
WHERE "hedron_fact_1"."orders__revenue_part" > CAST($2 AS DECIMAL(38, 0))
ORDER BY 1 DESC NULLS LAST
LIMIT $3
-- ["gold","10",10000]
