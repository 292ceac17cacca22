select count(*) from orders where status is not null and created_at >= '2024-01-31'
