SELECT
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
WHERE ("orders".status = $1 AND "orders".amount < CAST($2 AS NUMERIC)) OR "orders".amount >= CAST($3 AS NUMERIC) OR ("customers".is_member <> CAST($4 AS BOOLEAN) OR "customers".is_member IS NULL)
ORDER BY 1 DESC NULLS LAST
LIMIT $5
-- ["done","20","100","true",10000]
