SELECT
  "orders".status AS "open_sales__status",
  count(*) AS "open_sales__count"
FROM orders AS "orders"
WHERE ("orders".status = $1 OR "orders".status IS NULL) AND "orders".created_at >= CAST($2 AS TIMESTAMP)
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $3
-- ["open","2024-01-31T00:00:00.000",10000]
