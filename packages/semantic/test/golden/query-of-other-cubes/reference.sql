select name, 1 from customers where id in (1, 2, 3, 4) order by 1
