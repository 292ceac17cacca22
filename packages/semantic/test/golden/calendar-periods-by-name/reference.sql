select f.week_start, f.week_start, date_trunc('week', cast(f.day as timestamp)), count(*),
  sum((select sum(l.quantity) from line_items l where l.order_id = o.id))
from orders o join fiscal_days f on f.day = cast(o.created_at as date)
where f.day between '2024-01-01' and '2024-12-30' and f.week_start > '2024-01-02 23:59:59.999'
group by all
order by 2 desc
