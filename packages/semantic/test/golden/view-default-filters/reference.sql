select status, count(*) from orders where (status = 'open' or status is null) and created_at >= '2024-01-31' group by 1 order by 1 nulls last
