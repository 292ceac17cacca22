select city, sum(quantity), count(distinct c.id) from line_items l left join orders o on l.order_id = o.id left join customers c on c.id = o.customer_id group by 1 order by 1 nulls last
