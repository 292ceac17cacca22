select amount is not null, sum(amount) from orders group by 1 order by 2 desc nulls last
