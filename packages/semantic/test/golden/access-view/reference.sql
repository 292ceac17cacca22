select status, count(*), sum(amount) from orders o join customers c on c.id = o.customer_id where city = 'Berlin' group by 1 order by 1 nulls last
