SELECT
  date_trunc('month', CAST("orders".created_at AS TIMESTAMP)) AS "orders__created_at_month",
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
