select sum(amount) from orders where status = 'done'
