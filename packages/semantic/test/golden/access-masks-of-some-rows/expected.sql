SELECT
  CASE WHEN "customers".city = $1 THEN "customers".name ELSE (substr("customers".name, 1, 1) || '***') END AS "customers__name",
  CASE WHEN "customers".city = $2 THEN "customers".city ELSE $3 END AS "customers__city",
  count(*) AS "orders__count"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $4
-- ["Berlin","Berlin","hidden",10000]
