select distinct 'hidden', status, -1 from orders order by 2 nulls last
