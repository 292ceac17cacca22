select count(*) from orders where status = 'open' and customer_id is not null
