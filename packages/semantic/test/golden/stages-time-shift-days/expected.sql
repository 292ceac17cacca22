WITH "stage rows" AS (
  SELECT
    date_trunc('day', CAST((timezone($1, timezone('UTC', CAST("orders".created_at AS TIMESTAMP))) + 1 * INTERVAL '1 month') AS TIMESTAMP)) AS "orders__created_at_day",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  WHERE ("orders".created_at >= CAST($2 AS TIMESTAMP) AND "orders".created_at <= CAST($3 AS TIMESTAMP)) AND ((timezone($4, timezone('UTC', CAST("orders".created_at AS TIMESTAMP))) + 1 * INTERVAL '1 month') >= CAST($5 AS TIMESTAMP) AND (timezone($6, timezone('UTC', CAST("orders".created_at AS TIMESTAMP))) + 1 * INTERVAL '1 month') <= CAST($7 AS TIMESTAMP))
  GROUP BY 1
),
"stage rows_2" AS (
  SELECT
    date_trunc('day', CAST((timezone($8, timezone('UTC', CAST("orders".created_at AS TIMESTAMP))) - INTERVAL '864000000 milliseconds') AS TIMESTAMP)) AS "orders__created_at_day",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($9 AS TIMESTAMP) AND "orders".created_at <= CAST($10 AS TIMESTAMP)
  GROUP BY 1
),
"stage rows_3" AS (
  SELECT
    date_trunc('day', CAST((timezone($11, timezone('UTC', CAST("orders".created_at AS TIMESTAMP))) + 1 * INTERVAL '1 month') AS TIMESTAMP)) AS "orders__created_at_day",
    sum("orders".amount) AS "orders__revenue_60_days_part"
  FROM orders AS "orders"
  WHERE ("orders".created_at >= CAST($12 AS TIMESTAMP) AND "orders".created_at <= CAST($13 AS TIMESTAMP)) AND ((timezone($14, timezone('UTC', CAST("orders".created_at AS TIMESTAMP))) + 1 * INTERVAL '1 month') >= CAST($15 AS TIMESTAMP) AND (timezone($16, timezone('UTC', CAST("orders".created_at AS TIMESTAMP))) + 1 * INTERVAL '1 month') <= CAST($17 AS TIMESTAMP))
  GROUP BY 1
),
"stage periods" AS (
  SELECT (CAST($18 AS TIMESTAMP) + "steps"."step" * 86400 * INTERVAL '1 second') AS "period"
  FROM generate_series(0, 32) AS "steps"("step")
),
"stage rows_4" AS (
  SELECT
    date_trunc('day', timezone($19, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
    count(*) AS "orders__count_part_2"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($20 AS TIMESTAMP) AND "orders".created_at <= CAST($21 AS TIMESTAMP)
  GROUP BY 1
),
"stage revenue_month_ago" AS (
  SELECT
    "stage rows"."orders__created_at_day" AS "orders__created_at_day",
    "stage rows"."orders__revenue_part" AS "orders__revenue_month_ago_part"
  FROM "stage rows" AS "stage rows"
),
"stage next_days" AS (
  SELECT
    "stage rows_2"."orders__created_at_day" AS "orders__created_at_day",
    sum("stage rows_2"."orders__count_part") AS "orders__next_days_part"
  FROM "stage rows_2" AS "stage rows_2"
  GROUP BY 1
),
"stage windows" AS (
  SELECT
    "stage periods"."period" AS "orders__created_at_day",
    sum("stage rows_3"."orders__revenue_60_days_part") AS "orders__revenue_60_days_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows_3" AS "stage rows_3" ON "stage rows_3"."orders__created_at_day" >= (("stage periods"."period" + INTERVAL '86400000 milliseconds') - INTERVAL '5184000000 milliseconds') AND "stage rows_3"."orders__created_at_day" < ("stage periods"."period" + INTERVAL '86400000 milliseconds')
  GROUP BY 1
),
"stage window_month_ago" AS (
  SELECT
    "stage windows"."orders__created_at_day" AS "orders__created_at_day",
    "stage windows"."orders__revenue_60_days_part_2" AS "orders__window_month_ago_part"
  FROM "stage windows" AS "stage windows"
)
SELECT
  "groups"."orders__created_at_day" AS "orders__created_at_day",
  "stage rows_4"."orders__count_part_2" AS "orders__count",
  "stage revenue_month_ago"."orders__revenue_month_ago_part" AS "orders__revenue_month_ago",
  "stage next_days"."orders__next_days_part" AS "orders__next_days",
  "stage window_month_ago"."orders__window_month_ago_part" AS "orders__window_month_ago"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_4"."orders__created_at_day" AS "orders__created_at_day"
    FROM "stage rows_4" AS "stage rows_4"
    UNION ALL
    SELECT
      "stage revenue_month_ago"."orders__created_at_day" AS "orders__created_at_day"
    FROM "stage revenue_month_ago" AS "stage revenue_month_ago"
    UNION ALL
    SELECT
      "stage next_days"."orders__created_at_day" AS "orders__created_at_day"
    FROM "stage next_days" AS "stage next_days"
    UNION ALL
    SELECT
      "stage window_month_ago"."orders__created_at_day" AS "orders__created_at_day"
    FROM "stage window_month_ago" AS "stage window_month_ago"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_4" AS "stage rows_4" ON "groups"."orders__created_at_day" = "stage rows_4"."orders__created_at_day"
LEFT JOIN "stage revenue_month_ago" AS "stage revenue_month_ago" ON "groups"."orders__created_at_day" = "stage revenue_month_ago"."orders__created_at_day"
LEFT JOIN "stage next_days" AS "stage next_days" ON "groups"."orders__created_at_day" = "stage next_days"."orders__created_at_day"
LEFT JOIN "stage window_month_ago" AS "stage window_month_ago" ON "groups"."orders__created_at_day" = "stage window_month_ago"."orders__created_at_day"
ORDER BY 1 DESC NULLS LAST
LIMIT $22
-- ["America/New_York","2024-01-23T05:00:00.000","2024-03-06T04:59:59.999","America/New_York","2024-02-28T00:00:00.000","America/New_York","2024-03-31T23:59:59.999","America/New_York","2024-03-09T05:00:00.000","2024-04-11T03:59:59.999","America/New_York","2023-11-25T05:00:00.000","2024-03-06T04:59:59.999","America/New_York","2023-12-31T00:00:00.000","America/New_York","2024-03-31T23:59:59.999","2024-02-28T00:00:00.000","America/New_York","2024-02-28T05:00:00.000","2024-04-01T03:59:59.999",10000]
