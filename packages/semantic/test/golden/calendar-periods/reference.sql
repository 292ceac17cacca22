select f.year_start, f.month_start, cast(f.day as timestamp), count(*), sum(o.amount),
  sum((select sum(l.quantity) from line_items l where l.order_id = o.id))
from orders o left join fiscal_days f on f.day = cast(o.created_at as date)
group by all
order by 2 nulls last, 3
