select distinct status from orders where amount > 5 or status is not null order by 1 nulls last
