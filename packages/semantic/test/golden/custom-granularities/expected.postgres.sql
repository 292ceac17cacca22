SELECT
  (CAST($1 AS TIMESTAMP) + INTERVAL '1 month' * (floor(((extract(year FROM CAST("customers".signed_up AS TIMESTAMP)) * 12 + extract(month FROM CAST("customers".signed_up AS TIMESTAMP))) - (extract(year FROM CAST($1 AS TIMESTAMP)) * 12 + extract(month FROM CAST($1 AS TIMESTAMP)))) / 12) * 12)) AS "customers__signed_up_fiscal_year",
  ((CAST($2 AS TIMESTAMP) + INTERVAL '1 month' * (floor(((extract(year FROM (CAST("customers".signed_up AS TIMESTAMP) - INTERVAL '777600000 milliseconds')) * 12 + extract(month FROM (CAST("customers".signed_up AS TIMESTAMP) - INTERVAL '777600000 milliseconds'))) - (extract(year FROM CAST($2 AS TIMESTAMP)) * 12 + extract(month FROM CAST($2 AS TIMESTAMP)))) / 5) * 5)) + INTERVAL '777600000 milliseconds') AS "customers__signed_up_five_months",
  date_bin(INTERVAL '900 seconds', CAST("customers".signed_up AS TIMESTAMP), CAST($3 AS TIMESTAMP)) AS "customers__signed_up_quarter_hour",
  count(*) AS "customers__count"
FROM customers AS "customers"
GROUP BY 1, 2, 3
ORDER BY 3 ASC NULLS LAST, 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $4
-- ["2000-02-01T00:00:00.000","2023-02-01T00:00:00.000","2000-01-01T00:00:00.000",10000]
