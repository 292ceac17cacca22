SELECT
  CASE WHEN "orders".amount >= 50 THEN $1 WHEN "orders".amount >= 5 OR "orders".amount IS NULL THEN $2 ELSE "orders".status END AS "orders__size",
  '{' || "orders".status || '}' AS "orders__odd",
  count(*) AS "orders__count"
FROM orders AS "orders"
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 DESC NULLS LAST
LIMIT $3
-- ["large","it's \"medium\"",10000]
