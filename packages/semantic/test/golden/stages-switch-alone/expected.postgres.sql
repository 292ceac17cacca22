WITH "stage row" AS (
  SELECT (CAST($1 AS TIMESTAMP) + "steps"."step" * 1 * INTERVAL '1 month') AS "period"
  FROM generate_series(0, 0) AS "steps"("step")
)
SELECT
  "choices"."orders__currency" AS "orders__currency"
FROM (
  SELECT
    $2 AS "orders__currency"
  FROM "stage row" AS "stage row"
  UNION ALL
  SELECT
    $3 AS "orders__currency"
  FROM "stage row" AS "stage row"
  UNION ALL
  SELECT
    $4 AS "orders__currency"
  FROM "stage row" AS "stage row"
) AS "choices"
ORDER BY 1 DESC NULLS LAST
LIMIT $5
-- ["2000-01-01T00:00:00.000","EUR","USD","GBP",10000]
