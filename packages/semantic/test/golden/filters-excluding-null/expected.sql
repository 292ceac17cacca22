SELECT
  count(*) AS "orders__count"
FROM orders AS "orders"
LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
WHERE ("orders".status <> $1 AND "orders".status IS NOT NULL) AND (upper("customers".city)) IS NOT NULL AND ((CAST(CASE WHEN "orders".amount >= 50 THEN $2 WHEN "orders".amount >= 5 OR "orders".amount IS NULL THEN $3 ELSE "orders".status END AS VARCHAR) NOT ILIKE $4 ESCAPE '\') AND CASE WHEN "orders".amount >= 50 THEN $5 WHEN "orders".amount >= 5 OR "orders".amount IS NULL THEN $6 ELSE "orders".status END IS NOT NULL)
ORDER BY 1 DESC NULLS LAST
LIMIT $7
-- ["done","large","it's \"medium\"","%LARGE%","large","it's \"medium\"",10000]
