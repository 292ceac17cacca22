SELECT
  "customers".city AS "customers__city",
  count(DISTINCT "orders".customer_id) AS "orders__customers",
  count(DISTINCT "orders".customer_id) * 2 AS "orders__twice"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
