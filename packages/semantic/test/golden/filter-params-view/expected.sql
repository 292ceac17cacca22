SELECT
  "customers".city AS "sales__customers_city",
  count(*) AS "sales__count"
FROM (
  SELECT * FROM orders WHERE (status <> $1 OR status IS NULL) AND (amount < CAST($2 AS DECIMAL(38, 0)))
) AS "orders"
LEFT JOIN (
  SELECT * FROM customers WHERE (1 = 1)
) AS "customers" ON "orders".customer_id = "customers".id
WHERE ("orders".status <> $3 OR "orders".status IS NULL) AND "orders".amount < CAST($4 AS DECIMAL(38, 0))
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $5
-- ["open","90","open","90",10000]
