SELECT
  "orders".status AS "sales__status",
  count(*) AS "sales__count",
  sum("orders".amount) AS "sales__revenue"
FROM (
  SELECT "orders".*
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "customers".city = $1
) AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
WHERE "customers".city = $2
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $3
-- ["Berlin","Berlin",10000]
