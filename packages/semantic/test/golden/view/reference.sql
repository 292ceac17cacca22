with j as (select o.id, o.customer_id, o.amount, l.quantity, l.product_id, p.category from orders o left join line_items l on l.order_id = o.id left join products p on p.id = l.product_id where amount > 9)
select category, (select sum(amount) from orders where id in (select id from j x where x.category is not distinct from j.category)), sum(quantity),
(select count(*) from customers where id in (select customer_id from j x where x.category is not distinct from j.category)), count(distinct product_id)
from j group by category order by 1 nulls last
