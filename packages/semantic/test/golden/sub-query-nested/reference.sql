with o as (select customer_id, (select sum(quantity * price) from line_items l where l.order_id = orders.id) v from orders),
c as (select id, (select max(v) from o where o.customer_id = c.id) m, (select sum(v) from o where o.customer_id = c.id) t from customers c)
select case when m >= 20 then 'large' else 'small' end, count(*), sum(t) from c group by 1 order by 1
