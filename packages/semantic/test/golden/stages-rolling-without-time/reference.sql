select status, sum(amount), count(*) from orders group by 1 order by 1 nulls last
