SELECT
  "customers".city AS "sales__city",
  "customers".name AS "sales_buyers__name",
  count(*) AS "sales__count"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
WHERE "orders".status = $1
GROUP BY 1, 2
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT $2
-- ["done",10000]
