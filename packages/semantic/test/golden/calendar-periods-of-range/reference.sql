select f.month_start, f.quarter_start, date_trunc('week', f.day),
  case when month(timezone('America/New_York', timezone('UTC', f.day))) <= 6 then timestamp '2024-01-01' else timestamp '2024-07-01' end, sum(o.amount)
from orders o join fiscal_days f on f.day = cast(o.created_at as date)
where f.day >= '2024-01-15 05:00:00' and f.day < '2024-12-01 05:00:00'
group by all order by 3
