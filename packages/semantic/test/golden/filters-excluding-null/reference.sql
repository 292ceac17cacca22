select count(*) from orders o join customers c on c.id = o.customer_id where status <> 'done' and city is not null and (amount < 50 or amount is null)
