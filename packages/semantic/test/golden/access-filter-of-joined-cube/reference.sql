with o as (select orders.* from orders join customers c on c.id = customer_id where city = 'Berlin')
select status, count(*), (select sum(quantity) from line_items where order_id in (select id from o x where x.status is not distinct from o.status)) from o group by status order by 1 nulls last
