SELECT
  "orders".status AS "orders__status",
  sum(CASE WHEN ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL) THEN "orders".amount END) AS "orders__large_revenue",
  count(*) AS "orders__count"
FROM orders AS "orders"
GROUP BY 1
HAVING count(*) >= CAST($1 AS NUMERIC) AND (sum(CASE WHEN ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL) THEN "orders".amount END) > CAST($2 AS NUMERIC) OR sum(CASE WHEN ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL) THEN "orders".amount END) IS NULL)
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT $3
-- ["3","100.5",10000]
