with o as (select o.*, c.city from orders o left join customers c on c.id = o.customer_id),
l as (select o.city, sum(quantity) q, sum(quantity * price) v, count(*) n from o join line_items l on l.order_id = o.id group by 1)
select t.city, t.r, t.n, l.q, l.v, coalesce(l.n, 0) from (select city, sum(amount) r, count(*) n from o group by 1) t left join l on l.city is not distinct from t.city order by 1 nulls last
