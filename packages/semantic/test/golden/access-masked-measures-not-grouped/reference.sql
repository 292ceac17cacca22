select distinct city, -1 from orders o left join customers c on c.id = o.customer_id order by 1 nulls last
