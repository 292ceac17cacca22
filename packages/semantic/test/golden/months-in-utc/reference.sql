select date_trunc('month', created_at), sum(amount) from orders group by 1 order by 1
