SELECT
  100.0 * count(CASE WHEN "orders".status = 'done' THEN 1 END) / count(*) AS "orders__done_share",
  count(*) - (count(CASE WHEN "orders".status = 'done' THEN 1 END) + count(CASE WHEN "orders".status = 'done' THEN 1 END)) AS "orders__rest",
  sum("orders".amount * "orders".amount) / count(*) AS "orders__mean_square",
  bool_or("orders".status = 'open') AS "orders__has_open",
  min("orders".status) AS "orders__first_status",
  max("orders".created_at) AS "orders__last_at"
FROM orders AS "orders"
ORDER BY 1 DESC NULLS LAST
LIMIT $1
-- [10000]
