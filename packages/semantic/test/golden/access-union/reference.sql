select status, count(*) from orders where status = 'open' or status in ('done', 'cancelled') or created_at >= '2024-12-02' group by 1 order by 1 nulls last
