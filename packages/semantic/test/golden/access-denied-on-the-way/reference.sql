select null, count(*) from orders where status is not null
