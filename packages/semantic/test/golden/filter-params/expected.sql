SELECT
  strftime("orders".local_at, '%Y-%m-%d') AS "orders__local_day",
  ("orders".status = $1 OR "orders".status IS NULL) AS "orders__is_asked",
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue"
FROM (
  SELECT id, customer_id, status, amount, created_at,
    timezone($2, timezone('UTC', CAST(o.created_at AS TIMESTAMP))) AS local_at
  FROM (SELECT * FROM orders WHERE (1 = 1) AND (1 = 1)
  ) AS o WHERE (o.status = $3 OR o.status IS NULL)
    AND (o.created_at >= CAST($4 AS TIMESTAMP) AND o.created_at <= CAST($5 AS TIMESTAMP))
    AND (o.amount > CAST($6 AS DECIMAL(38, 0)) OR ((o.status = $7) AND o.amount IS NOT NULL))
) AS "orders"
WHERE ("orders".created_at >= CAST($8 AS TIMESTAMP) AND "orders".created_at <= CAST($9 AS TIMESTAMP)) AND ("orders".status = $10 OR "orders".status IS NULL) AND ("orders".amount > CAST($11 AS DECIMAL(38, 0)) OR ("orders".status = $12 AND "orders".amount IS NOT NULL))
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $13
-- ["done","America/New_York","done","2024-01-01T05:00:00.000","2024-03-11T03:59:59.999","9","done","2024-01-01T05:00:00.000","2024-03-11T03:59:59.999","done","9","done",10000]
