with o as (select *, timezone('Europe/Berlin', timezone('UTC', created_at)) t from orders),
n as (select unnest(generate_series(-40, 40)) n),
p as (select
  timestamp '2023-12-31' + n * interval 1 month + n * interval 2 day as billing,
  timestamp '2024-01-31' + n * interval 1 month as month_end,
  timestamp '2025-08-30 06:00' + n * interval 3 month + n * interval 36 hour as season
from n)
select (select max(billing) from p where billing <= t), (select max(month_end) from p where month_end <= t),
  (select max(season) from p where season <= t), count(*), sum(amount)
from o where t >= '2024-01-01' and t < '2025-01-01'
group by all
order by 1, 2
