SELECT
  "customers".city AS "orders__customer_city",
  CASE WHEN count(*) >= 0 THEN (-1) END AS "orders__revenue"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
