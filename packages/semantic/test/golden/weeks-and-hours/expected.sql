SELECT
  date_trunc('week', timezone($1, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_week",
  date_trunc('hour', timezone($2, timezone('UTC', CAST("orders".created_at AS TIMESTAMP)))) AS "orders__created_at_hour",
  count(*) AS "orders__count"
FROM orders AS "orders"
WHERE "orders".created_at > CAST($3 AS TIMESTAMP)
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $4
-- ["Europe/Berlin","Europe/Berlin","2024-03-10T22:59:59.999",10000]
