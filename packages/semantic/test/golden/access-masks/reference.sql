select substr(c.name, 1, 1) || '***', 'hidden', -1, is_member, null, count(*) from orders o left join customers c on c.id = o.customer_id group by 1, is_member order by 1 nulls last, 4 nulls last
