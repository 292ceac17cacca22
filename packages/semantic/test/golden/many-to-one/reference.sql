select c.city, upper(c.city), sum(o.amount) from orders o left join customers c on c.id = o.customer_id group by 1, 2 order by 1 desc nulls last
