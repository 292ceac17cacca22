SELECT strftime(timezone('America/New_York', timezone('UTC', created_at)), '%Y-%m-%d') AS day, true, count(*), sum(amount)
FROM orders
WHERE (status = 'done' OR status IS NULL) AND (amount > 9 OR (status = 'done' AND amount IS NOT NULL))
  AND created_at >= '2024-01-01 05:00:00' AND created_at < '2024-03-11 04:00:00'
GROUP BY 1 ORDER BY 1
