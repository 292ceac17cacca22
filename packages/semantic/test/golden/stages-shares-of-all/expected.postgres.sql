WITH "stage rows" AS (
  SELECT
    date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($1 AS TIMESTAMP) AND "orders".created_at <= CAST($2 AS TIMESTAMP)
  GROUP BY 1
),
"stage city_revenue" AS (
  SELECT
    "stage rows"."orders__created_at_month" AS "orders__created_at_month",
    sum("stage rows"."orders__revenue_part") OVER () AS "orders__city_revenue_part"
  FROM "stage rows" AS "stage rows"
)
SELECT
  "groups"."orders__created_at_month" AS "orders__created_at_month",
  "stage city_revenue"."orders__city_revenue_part" AS "orders__city_revenue",
  "stage rows"."orders__revenue_part" AS "orders__revenue"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage rows" AS "stage rows"
    UNION ALL
    SELECT
      "stage city_revenue"."orders__created_at_month" AS "orders__created_at_month"
    FROM "stage city_revenue" AS "stage city_revenue"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows" AS "stage rows" ON "groups"."orders__created_at_month" = "stage rows"."orders__created_at_month"
LEFT JOIN "stage city_revenue" AS "stage city_revenue" ON "groups"."orders__created_at_month" = "stage city_revenue"."orders__created_at_month"
ORDER BY 1 ASC NULLS LAST
LIMIT $3
-- ["2024-01-01T00:00:00.000","2024-03-31T23:59:59.999",10000]
