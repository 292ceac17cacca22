SELECT
  "customers".city AS "customers__city",
  upper("customers".city) AS "orders__customer_city",
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
GROUP BY 1, 2
ORDER BY 1 DESC NULLS LAST, 2 ASC NULLS LAST
LIMIT $1
-- [10000]
