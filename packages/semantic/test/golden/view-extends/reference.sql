SELECT city, name, count(*) FROM orders LEFT JOIN customers ON customers.id = customer_id
WHERE status = 'done' GROUP BY 1, 2 ORDER BY 2 NULLS LAST
