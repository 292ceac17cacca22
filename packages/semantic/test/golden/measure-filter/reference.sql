select id from orders where amount > 6 and (status <> 'cancelled' or status is null) order by 1
