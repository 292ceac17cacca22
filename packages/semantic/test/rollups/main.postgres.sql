SELECT
  "orders".status AS "orders__status",
  "customers".city AS "customers__city",
  date_trunc('day', timezone($1, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
  CASE WHEN "orders".amount > 100 THEN 1 END AS "orders__large",
  sum("orders".amount) AS "orders__revenue",
  count(*) AS "orders__count",
  count(DISTINCT "orders".customer_id) AS "orders__buyers"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
WHERE "orders".created_at >= CAST($2 AS TIMESTAMP) AND "orders".created_at < CAST($3 AS TIMESTAMP)
GROUP BY 1, 2, 3, 4
-- ["Europe/Berlin","2023-12-31T23:00:00.000","2024-01-31T23:00:00.000"]

SELECT
  "rollup"."customers__city" AS "sales__city",
  date_trunc('week', CAST("rollup"."orders__created_at_day" AS TIMESTAMP)) AS "sales__created_at_week",
  sum("rollup"."orders__revenue") / (CAST(coalesce(sum("rollup"."orders__count"), 0) AS BIGINT)) AS "sales__average"
FROM (
  SELECT * FROM "pre_aggregations"."orders_main_january"
  UNION ALL
  SELECT * FROM "pre_aggregations"."orders_main_february"
) AS "rollup"
WHERE ("rollup"."orders__created_at_day" >= CAST($1 AS TIMESTAMP) AND "rollup"."orders__created_at_day" <= CAST($2 AS TIMESTAMP)) AND "rollup"."orders__large" IS NOT NULL AND "rollup"."orders__status" = $3
GROUP BY 1, 2
HAVING sum("rollup"."orders__revenue") > CAST($4 AS NUMERIC)
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT $5
-- ["2024-01-01T00:00:00.000","2024-02-29T23:59:59.999","done","100",10000]
