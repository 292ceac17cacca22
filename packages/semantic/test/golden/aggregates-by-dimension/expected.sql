SELECT
  "orders".status AS "orders__status",
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue",
  avg("orders".amount) AS "orders__average",
  min("orders".amount) AS "orders__smallest",
  count(DISTINCT "orders".customer_id) AS "orders__buyers",
  approx_count_distinct("orders".customer_id) AS "orders__buyers_about",
  count(CASE WHEN "orders".status = 'done' THEN 1 END) AS "orders__done"
FROM orders AS "orders"
GROUP BY 1
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT $1
-- [10000]
