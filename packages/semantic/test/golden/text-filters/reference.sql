select name from customers where (name like '%100%' or name = 'cemile') and (city not like 'B%' or city is null) order by 1
