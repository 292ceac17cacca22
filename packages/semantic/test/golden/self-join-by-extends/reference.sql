SELECT status,
  (SELECT sum(amount) FROM orders AS o WHERE o.status IS NOT DISTINCT FROM s.status),
  (SELECT sum(e.amount) FROM orders AS e WHERE EXISTS (
    SELECT * FROM orders AS o WHERE o.status IS NOT DISTINCT FROM s.status AND o.customer_id = e.customer_id AND o.id > e.id))
FROM (SELECT DISTINCT status FROM orders) AS s ORDER BY 1 NULLS LAST
