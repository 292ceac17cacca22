select c.city, count(*) from orders o left join customers c on c.id = o.customer_id where o.status = 'open' group by 1 order by 1 nulls last
