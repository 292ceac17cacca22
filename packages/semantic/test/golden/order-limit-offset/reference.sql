select id, status, sum(amount) from orders group by 1, 2 order by 2 desc nulls last, 3 desc nulls last, 1 limit 3 offset 2
