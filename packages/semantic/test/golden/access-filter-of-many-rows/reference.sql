with o as (select * from orders where id in (select order_id from line_items l join products p on p.id = l.product_id where category in ('food', 'office')))
select city, count(*), sum(amount) from o left join customers c on c.id = o.customer_id group by 1 order by 1 nulls last
