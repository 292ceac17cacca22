SELECT
  "customers".city AS "customers__city",
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
LEFT JOIN (
  SELECT "customers".*
  FROM customers AS "customers"
  WHERE "customers".city <> $1 AND "customers".city IS NOT NULL
) AS "customers" ON "orders".customer_id = "customers".id
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $2
-- ["Paris",10000]
