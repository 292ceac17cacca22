with p as (select unnest(generate_series(timestamp '2024-01-01', timestamp '2024-03-01', interval 1 month)) m)
select m, (select sum(amount) from orders where date_trunc('month', created_at) = m + interval 1 month),
  (select count(*) from orders where date_trunc('month', created_at) = m),
  (select sum(amount) from orders where created_at >= date_trunc('year', m) and created_at < m + interval 1 month)
from p order by m
