select (select sum(amount) from orders), (select count(*) from customers where id in (select customer_id from orders)),
(select sum(quantity) from line_items join products p on p.id = product_id where category = 'food' and order_id in (select id from orders)),
(select count(distinct product_id) from line_items join products p on p.id = product_id where order_id in (select id from orders))
