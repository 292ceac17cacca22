SELECT
  $1 AS "sales__customers_city",
  "orders".status AS "sales__status",
  CASE WHEN count(*) >= 0 THEN (-1) END AS "sales__revenue"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
GROUP BY 1, 2
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT $2
-- ["hidden",10000]
