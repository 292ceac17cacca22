SELECT
  count(*) AS "open_sales__count"
FROM orders AS "orders"
WHERE "orders".status IS NOT NULL AND "orders".created_at >= CAST($1 AS TIMESTAMP)
ORDER BY 1 DESC NULLS LAST
LIMIT $2
-- ["2024-01-31T00:00:00.000",10000]
