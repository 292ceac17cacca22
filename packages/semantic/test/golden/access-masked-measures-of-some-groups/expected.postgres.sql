SELECT
  "orders".status AS "orders__status",
  CASE WHEN min(CASE WHEN "orders".status = $1 THEN 1 ELSE 0 END) = 1 THEN sum("orders".amount) ELSE (-1) END AS "orders__revenue",
  CASE WHEN min(CASE WHEN "orders".status = $2 THEN 1 ELSE 0 END) = 1 THEN avg("orders".amount) ELSE (round(avg("orders".amount), -1)) END AS "orders__average",
  CASE WHEN min(CASE WHEN "orders".status = $3 THEN 1 ELSE 0 END) = 1 THEN (1.0 * count(CASE WHEN "orders".status = 'done' THEN 1 END) / count(*)) ELSE NULL END AS "orders__share"
FROM orders AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $4
-- ["done","done","done",10000]
