SELECT
  "customer_orders".amount IS NOT NULL AS "customer_orders__has_amount",
  sum("customer_orders".amount) AS "customer_orders__total_amount"
FROM orders AS "customer_orders"
GROUP BY 1
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT $1
-- [10000]
