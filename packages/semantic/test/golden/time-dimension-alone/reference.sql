select count(*) from customers where id in (select customer_id from orders)
