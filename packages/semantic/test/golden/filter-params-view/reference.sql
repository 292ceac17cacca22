SELECT city, count(*) FROM orders LEFT JOIN customers ON customers.id = customer_id
WHERE (status <> 'open' OR status IS NULL) AND amount < 90
GROUP BY 1 ORDER BY 1 NULLS LAST
