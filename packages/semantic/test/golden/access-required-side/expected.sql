SELECT
  "customers".city AS "customers__city",
  count(*) AS "orders__count"
FROM (
  SELECT "orders".*
  FROM orders AS "orders"
  WHERE "orders".status = $1
) AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $2
-- ["open",10000]
