select date_trunc('month', created_at), (select sum(amount) from orders where created_at < '2024-04-01'), sum(amount) from orders where created_at < '2024-04-01' group by 1 order by 1
