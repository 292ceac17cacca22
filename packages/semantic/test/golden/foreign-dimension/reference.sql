select coalesce(level, 'none'), count(*) from customers c left join profiles p on p.customer_id = c.id group by 1 order by 1
