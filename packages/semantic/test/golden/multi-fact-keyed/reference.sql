with o as (select c.name, amount, (select sum(quantity) from line_items where order_id = o.id) q from orders o left join customers c on c.id = customer_id),
a as (select name, sum(amount) r, max(q) m, sum(q) q from o group by 1),
p as (select c.name, sum(points) p from profiles left join customers c on c.id = customer_id group by 1)
select coalesce(a.name, p.name), r, m, q, p from a full join p on a.name = p.name order by 1 nulls last
