select count(*) from orders where (status = 'done' or status = 'cancelled') and amount > 9
