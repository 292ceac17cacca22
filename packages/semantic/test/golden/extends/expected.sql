SELECT
  "done_orders".status AS "done_orders__status",
  count(*) AS "done_orders__count",
  sum(-"done_orders".amount) AS "done_orders__total"
FROM (
  SELECT * FROM orders WHERE status = 'done'
) AS "done_orders"
GROUP BY 1
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT $1
-- [10000]
