SELECT
  date_trunc('day', timezone($1, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_day",
  count(*) AS "orders__count"
FROM orders AS "orders"
WHERE "orders".created_at >= CAST($2 AS TIMESTAMP) AND "orders".created_at <= CAST($3 AS TIMESTAMP)
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $4
-- ["Pacific/Auckland","2024-03-09T11:00:00.000","2024-03-15T10:59:59.999",10000]
