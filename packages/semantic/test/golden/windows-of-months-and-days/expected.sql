WITH "stage rows" AS (
  SELECT
    date_trunc('day', timezone($1, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
    sum("orders".amount) AS "orders__so_far_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($2 AS TIMESTAMP) AND "orders".created_at <= CAST($3 AS TIMESTAMP)
  GROUP BY 1
),
"stage periods" AS (
  SELECT ((CAST($4 AS TIMESTAMP) + "steps"."step" * 1 * INTERVAL '1 month') + "steps"."step" * 172800 * INTERVAL '1 second') AS "period"
  FROM generate_series(0, 11) AS "steps"("step")
),
"stage rows_2" AS (
  SELECT
    date_trunc('day', timezone($5, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
    sum("orders".amount) AS "orders__last_40_days_part"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($6 AS TIMESTAMP) AND "orders".created_at <= CAST($7 AS TIMESTAMP)
  GROUP BY 1
),
"stage rows_3" AS (
  SELECT
    date_trunc('day', timezone($8, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
    "orders".customer_id AS "orders__buyers_ahead_value"
  FROM orders AS "orders"
  WHERE "orders".created_at >= CAST($9 AS TIMESTAMP) AND "orders".created_at <= CAST($10 AS TIMESTAMP)
  GROUP BY 1, 2
),
"stage windows" AS (
  SELECT
    "stage periods"."period" AS "orders__created_at_billing",
    sum("stage rows"."orders__so_far_part") AS "orders__so_far_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows" AS "stage rows" ON "stage rows"."orders__created_at_day" >= CASE WHEN ((CAST($11 AS TIMESTAMP) + (CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 1 * INTERVAL '1 month') + (CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 172800 * INTERVAL '1 second') <= CAST("stage periods"."period" AS TIMESTAMP) THEN ((CAST($11 AS TIMESTAMP) + (CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 1 * INTERVAL '1 month') + (CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 172800 * INTERVAL '1 second') WHEN ((CAST($11 AS TIMESTAMP) + CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) * 1 * INTERVAL '1 month') + CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) * 172800 * INTERVAL '1 second') <= CAST("stage periods"."period" AS TIMESTAMP) THEN ((CAST($11 AS TIMESTAMP) + CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) * 1 * INTERVAL '1 month') + CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) * 172800 * INTERVAL '1 second') ELSE ((CAST($11 AS TIMESTAMP) + (CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) - 1) * 1 * INTERVAL '1 month') + (CAST(floor((epoch(CAST("stage periods"."period" AS TIMESTAMP)) - epoch(CAST($11 AS TIMESTAMP))) / 2802546) AS BIGINT) - 1) * 172800 * INTERVAL '1 second') END AND "stage rows"."orders__created_at_day" < CASE WHEN ((CAST($12 AS TIMESTAMP) + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 1 * INTERVAL '1 month') + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 172800 * INTERVAL '1 second') <= "stage periods"."period" THEN ((CAST($12 AS TIMESTAMP) + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) + 2) * 1 * INTERVAL '1 month') + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) + 2) * 172800 * INTERVAL '1 second') WHEN ((CAST($12 AS TIMESTAMP) + CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) * 1 * INTERVAL '1 month') + CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) * 172800 * INTERVAL '1 second') <= "stage periods"."period" THEN ((CAST($12 AS TIMESTAMP) + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 1 * INTERVAL '1 month') + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 172800 * INTERVAL '1 second') ELSE ((CAST($12 AS TIMESTAMP) + CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) * 1 * INTERVAL '1 month') + CAST(floor((epoch("stage periods"."period") - epoch(CAST($12 AS TIMESTAMP))) / 2802546) AS BIGINT) * 172800 * INTERVAL '1 second') END
  GROUP BY 1
),
"stage windows_2" AS (
  SELECT
    "stage periods"."period" AS "orders__created_at_billing",
    sum("stage rows_2"."orders__last_40_days_part") AS "orders__last_40_days_part_2"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows_2" AS "stage rows_2" ON "stage rows_2"."orders__created_at_day" >= (CASE WHEN ((CAST($13 AS TIMESTAMP) + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 1 * INTERVAL '1 month') + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 172800 * INTERVAL '1 second') <= "stage periods"."period" THEN ((CAST($13 AS TIMESTAMP) + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) + 2) * 1 * INTERVAL '1 month') + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) + 2) * 172800 * INTERVAL '1 second') WHEN ((CAST($13 AS TIMESTAMP) + CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) * 1 * INTERVAL '1 month') + CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) * 172800 * INTERVAL '1 second') <= "stage periods"."period" THEN ((CAST($13 AS TIMESTAMP) + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 1 * INTERVAL '1 month') + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 172800 * INTERVAL '1 second') ELSE ((CAST($13 AS TIMESTAMP) + CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) * 1 * INTERVAL '1 month') + CAST(floor((epoch("stage periods"."period") - epoch(CAST($13 AS TIMESTAMP))) / 2802546) AS BIGINT) * 172800 * INTERVAL '1 second') END - INTERVAL '3456000000 milliseconds') AND "stage rows_2"."orders__created_at_day" < CASE WHEN ((CAST($14 AS TIMESTAMP) + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 1 * INTERVAL '1 month') + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 172800 * INTERVAL '1 second') <= "stage periods"."period" THEN ((CAST($14 AS TIMESTAMP) + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) + 2) * 1 * INTERVAL '1 month') + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) + 2) * 172800 * INTERVAL '1 second') WHEN ((CAST($14 AS TIMESTAMP) + CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) * 1 * INTERVAL '1 month') + CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) * 172800 * INTERVAL '1 second') <= "stage periods"."period" THEN ((CAST($14 AS TIMESTAMP) + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 1 * INTERVAL '1 month') + (CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) + 1) * 172800 * INTERVAL '1 second') ELSE ((CAST($14 AS TIMESTAMP) + CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) * 1 * INTERVAL '1 month') + CAST(floor((epoch("stage periods"."period") - epoch(CAST($14 AS TIMESTAMP))) / 2802546) AS BIGINT) * 172800 * INTERVAL '1 second') END
  GROUP BY 1
),
"stage windows_3" AS (
  SELECT
    "stage periods"."period" AS "orders__created_at_billing",
    count(DISTINCT "stage rows_3"."orders__buyers_ahead_value") AS "orders__buyers_ahead_part"
  FROM "stage periods" AS "stage periods"
  LEFT JOIN "stage rows_3" AS "stage rows_3" ON "stage rows_3"."orders__created_at_day" >= "stage periods"."period" AND "stage rows_3"."orders__created_at_day" < ("stage periods"."period" + 1 * INTERVAL '1 month')
  GROUP BY 1
)
SELECT
  "groups"."orders__created_at_billing" AS "orders__created_at_billing",
  "stage windows"."orders__so_far_part_2" AS "orders__so_far",
  "stage windows_2"."orders__last_40_days_part_2" AS "orders__last_40_days",
  "stage windows_3"."orders__buyers_ahead_part" AS "orders__buyers_ahead"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage windows"."orders__created_at_billing" AS "orders__created_at_billing"
    FROM "stage windows" AS "stage windows"
    UNION ALL
    SELECT
      "stage windows_2"."orders__created_at_billing" AS "orders__created_at_billing"
    FROM "stage windows_2" AS "stage windows_2"
    UNION ALL
    SELECT
      "stage windows_3"."orders__created_at_billing" AS "orders__created_at_billing"
    FROM "stage windows_3" AS "stage windows_3"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage windows" AS "stage windows" ON "groups"."orders__created_at_billing" = "stage windows"."orders__created_at_billing"
LEFT JOIN "stage windows_2" AS "stage windows_2" ON "groups"."orders__created_at_billing" = "stage windows_2"."orders__created_at_billing"
LEFT JOIN "stage windows_3" AS "stage windows_3" ON "groups"."orders__created_at_billing" = "stage windows_3"."orders__created_at_billing"
ORDER BY 1 ASC NULLS LAST
LIMIT $15
-- ["America/New_York","2023-12-31T05:00:00.000","2025-01-24T04:59:59.999","2023-12-31T00:00:00.000","America/New_York","2023-12-24T05:00:00.000","2025-01-24T04:59:59.999","America/New_York","2023-12-31T05:00:00.000","2025-01-22T04:59:59.999","2023-12-31T00:00:00.000","2023-12-31T00:00:00.000","2023-12-31T00:00:00.000","2023-12-31T00:00:00.000",10000]
