select status, sum(amount) * 2 from orders group by 1 order by 1 nulls last
