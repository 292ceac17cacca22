SELECT
  strftime(date_trunc('month', timezone($1, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))), '%m') AS "orders__month",
  count(*) AS "orders__count"
FROM orders AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $2
-- ["America/New_York",10000]
