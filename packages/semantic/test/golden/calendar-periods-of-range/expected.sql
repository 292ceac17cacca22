SELECT
  "fiscal_days".month_start AS "fiscal_days__since_month",
  "fiscal_days".quarter_start AS "fiscal_days__date_quarter",
  date_trunc('week', "fiscal_days".day) AS "fiscal_days__date_week",
  time_bucket(INTERVAL 6 MONTH, timezone($1, timezone('UTC', CAST("fiscal_days".day AS TIMESTAMP))), CAST($2 AS TIMESTAMP)) AS "fiscal_days__date_half",
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
WHERE "fiscal_days".day >= CAST($3 AS TIMESTAMP) AND "fiscal_days".day <= CAST($4 AS TIMESTAMP)
GROUP BY 1, 2, 3, 4
ORDER BY 3 ASC NULLS LAST, 1 ASC NULLS LAST, 2 ASC NULLS LAST, 4 ASC NULLS LAST
LIMIT $5
-- ["America/New_York","2000-01-01T00:00:00.000","2024-01-15T05:00:00.000","2024-12-01T04:59:59.999",10000]
