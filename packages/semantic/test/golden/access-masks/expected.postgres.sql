SELECT
  substr("customers".name, 1, 1) || '***' AS "customers__name",
  $1 AS "customers__city",
  -1 AS "orders__amount",
  "customers".is_member AS "customers__is_member",
  date_trunc('year', CAST(NULL AS TIMESTAMP)) AS "customers__signed_up_year",
  count(*) AS "orders__count"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
WHERE (-1) < CAST($2 AS NUMERIC) AND $3 = $4
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1 ASC NULLS LAST, 4 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST, 5 ASC NULLS LAST
LIMIT $5
-- ["hidden","0","hidden","hidden",10000]
