SELECT
  time_bucket(INTERVAL 12 MONTH, CAST("customers".signed_up AS TIMESTAMP), CAST($1 AS TIMESTAMP)) AS "customers__signed_up_fiscal_year",
  (time_bucket(INTERVAL 5 MONTH, (CAST("customers".signed_up AS TIMESTAMP) - INTERVAL '777600000 milliseconds'), CAST($2 AS TIMESTAMP)) + INTERVAL '777600000 milliseconds') AS "customers__signed_up_five_months",
  time_bucket(INTERVAL 900 SECOND, CAST("customers".signed_up AS TIMESTAMP), CAST($3 AS TIMESTAMP)) AS "customers__signed_up_quarter_hour",
  count(*) AS "customers__count"
FROM customers AS "customers"
GROUP BY 1, 2, 3
ORDER BY 3 ASC NULLS LAST, 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $4
-- ["2000-02-01T00:00:00.000","2023-02-01T00:00:00.000","2000-01-01T00:00:00.000",10000]
