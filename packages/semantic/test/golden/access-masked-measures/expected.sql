SELECT
  "orders".status AS "orders__status",
  CASE WHEN count(*) >= 0 THEN (-1) END AS "orders__revenue",
  round(avg("orders".amount), -1) AS "orders__average",
  CASE WHEN count(*) >= 0 THEN NULL END AS "orders__done",
  count(*) AS "orders__count"
FROM orders AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
