select count(*), sum(amount) from orders where false
