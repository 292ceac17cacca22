with c as (select * from customers where city <> 'Paris'), l as (select * from line_items where quantity < 10),
j as (select o.id, o.customer_id, o.amount, l.quantity, p.category from orders o left join l on l.order_id = o.id left join products p on p.id = l.product_id)
select category, (select sum(amount) from orders where id in (select id from j x where x.category is not distinct from j.category)), sum(quantity),
(select count(*) from c where id in (select customer_id from j x where x.category is not distinct from j.category))
from j group by category order by 1 nulls last
