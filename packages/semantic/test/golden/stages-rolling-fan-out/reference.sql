with o as (select distinct o.id, o.customer_id, o.amount, o.created_at, l.product_id from orders o left join line_items l on l.order_id = o.id),
l as (select o.created_at, l.product_id, l.quantity from orders o left join line_items l on l.order_id = o.id),
p as (select unnest(generate_series(timestamp '2024-01-01', timestamp '2024-03-01', interval 1 month)) m),
g as (select distinct m, product_id from p, o where created_at < m + interval 1 month)
select g.product_id, m,
  (select sum(amount) from o where o.product_id is not distinct from g.product_id and created_at < m + interval 1 month),
  (select avg(amount) from o where o.product_id is not distinct from g.product_id and created_at < m + interval 1 month),
  (select nullif(count(distinct customer_id), 0) from o where o.product_id is not distinct from g.product_id and created_at < m + interval 1 month and created_at >= m + interval 1 month - interval 60 day),
  (select sum(quantity) from l where l.product_id is not distinct from g.product_id and date_trunc('month', created_at) = m)
from g order by 2, 1 nulls last
