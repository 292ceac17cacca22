select (select sum(amount) from orders), (select sum(amount) from orders), (select count(distinct c.id) from orders o join customers c on c.id = o.customer_id)
