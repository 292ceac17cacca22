SELECT city, count(DISTINCT customer_id), 2 * count(DISTINCT customer_id)
FROM orders LEFT JOIN customers ON customers.id = orders.customer_id GROUP BY 1 ORDER BY 1 NULLS LAST
