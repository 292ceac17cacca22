WITH "stage rows" AS (
  SELECT
    "orders".status AS "orders__status",
    date_trunc('day', timezone($1, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
    "orders".customer_id AS "orders__buyers_60_days_value"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($2 AS TIMESTAMP) AND "orders".created_at <= CAST($3 AS TIMESTAMP)
  GROUP BY 1, 2, 3
),
"stage periods" AS (
  SELECT (CAST($4 AS TIMESTAMP) + "steps"."step" * 86400 * INTERVAL '1 second') AS "period"
  FROM generate_series(0, 2) AS "steps"("step")
),
"stage rows_2" AS (
  SELECT
    "orders".status AS "orders__status",
    date_trunc('day', timezone($5, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
    "orders".amount AS "orders__average_so_far_value"
  FROM orders AS "orders"
  WHERE "orders".created_at <= CAST($6 AS TIMESTAMP)
),
"stage rows_3" AS (
  SELECT
    "orders".status AS "orders__status",
    date_trunc('day', timezone($7, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
    count(*) AS "orders__count_before_part"
  FROM orders AS "orders"
  WHERE "orders".created_at <= CAST($8 AS TIMESTAMP)
  GROUP BY 1, 2
),
"stage rows_4" AS (
  SELECT
    "orders".status AS "orders__status",
    date_trunc('day', timezone($9, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($10 AS TIMESTAMP) AND "orders".created_at <= CAST($11 AS TIMESTAMP)
  GROUP BY 1, 2
),
"stage windows" AS (
  SELECT
    "stage rows"."orders__status" AS "orders__status",
    "stage periods"."period" AS "orders__created_at_day",
    count(DISTINCT "stage rows"."orders__buyers_60_days_value") AS "orders__buyers_60_days_part"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows" AS "stage rows" ON "stage rows"."orders__created_at_day" >= (("stage periods"."period" + INTERVAL '86400000 milliseconds') - INTERVAL '5184000000 milliseconds') AND "stage rows"."orders__created_at_day" < ("stage periods"."period" + INTERVAL '86400000 milliseconds')
  GROUP BY 1, 2
),
"stage windows_2" AS (
  SELECT
    "stage rows_2"."orders__status" AS "orders__status",
    "stage periods"."period" AS "orders__created_at_day",
    avg("stage rows_2"."orders__average_so_far_value") AS "orders__average_so_far_part"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows_2" AS "stage rows_2" ON "stage rows_2"."orders__created_at_day" < ("stage periods"."period" + INTERVAL '86400000 milliseconds')
  GROUP BY 1, 2
),
"stage windows_3" AS (
  SELECT
    "stage rows_3"."orders__status" AS "orders__status",
    "stage periods"."period" AS "orders__created_at_day",
    sum("stage rows_3"."orders__count_before_part") AS "orders__count_before_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows_3" AS "stage rows_3" ON "stage rows_3"."orders__created_at_day" < "stage periods"."period"
  GROUP BY 1, 2
)
SELECT
  "groups"."orders__status" AS "orders__status",
  "groups"."orders__created_at_day" AS "orders__created_at_day",
  "stage rows_4"."orders__count_part" AS "orders__count",
  "stage windows"."orders__buyers_60_days_part" AS "orders__buyers_60_days",
  "stage windows_2"."orders__average_so_far_part" AS "orders__average_so_far",
  "stage windows_3"."orders__count_before_part_2" AS "orders__count_before"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_4"."orders__status" AS "orders__status",
      "stage rows_4"."orders__created_at_day" AS "orders__created_at_day"
    FROM "stage rows_4" AS "stage rows_4"
    UNION ALL
    SELECT
      "stage windows"."orders__status" AS "orders__status",
      "stage windows"."orders__created_at_day" AS "orders__created_at_day"
    FROM "stage windows" AS "stage windows"
    UNION ALL
    SELECT
      "stage windows_2"."orders__status" AS "orders__status",
      "stage windows_2"."orders__created_at_day" AS "orders__created_at_day"
    FROM "stage windows_2" AS "stage windows_2"
    UNION ALL
    SELECT
      "stage windows_3"."orders__status" AS "orders__status",
      "stage windows_3"."orders__created_at_day" AS "orders__created_at_day"
    FROM "stage windows_3" AS "stage windows_3"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_4" AS "stage rows_4" ON "groups"."orders__status" IS NOT DISTINCT FROM "stage rows_4"."orders__status" AND "groups"."orders__created_at_day" = "stage rows_4"."orders__created_at_day"
LEFT JOIN "stage windows" AS "stage windows" ON "groups"."orders__status" IS NOT DISTINCT FROM "stage windows"."orders__status" AND "groups"."orders__created_at_day" = "stage windows"."orders__created_at_day"
LEFT JOIN "stage windows_2" AS "stage windows_2" ON "groups"."orders__status" IS NOT DISTINCT FROM "stage windows_2"."orders__status" AND "groups"."orders__created_at_day" = "stage windows_2"."orders__created_at_day"
LEFT JOIN "stage windows_3" AS "stage windows_3" ON "groups"."orders__status" IS NOT DISTINCT FROM "stage windows_3"."orders__status" AND "groups"."orders__created_at_day" = "stage windows_3"."orders__created_at_day"
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT $12
-- ["Europe/Berlin","2024-01-30T23:00:00.000","2024-04-01T21:59:59.999","2024-03-30T00:00:00.000","Europe/Berlin","2024-04-01T21:59:59.999","Europe/Berlin","2024-03-31T21:59:59.999","Europe/Berlin","2024-03-29T23:00:00.000","2024-04-01T21:59:59.999",10000]
