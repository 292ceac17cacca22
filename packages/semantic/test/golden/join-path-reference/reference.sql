select c.name || '!', sum(quantity) from line_items l left join orders o on o.id = l.order_id left join customers c on c.id = o.customer_id group by 1 order by 1 nulls last
