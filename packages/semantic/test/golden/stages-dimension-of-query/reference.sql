select count(*) > 1, date_trunc('month', created_at) m, count(*), sum(amount) from orders group by 2 order by 2
