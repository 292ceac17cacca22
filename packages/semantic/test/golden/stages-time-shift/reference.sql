with p as (select unnest(generate_series(timestamp '2024-01-01', timestamp '2024-12-01', interval 1 month)) m),
q as (select m, (select sum(amount) from orders where date_trunc('month', created_at) = m) r,
  (select sum(amount) from orders where date_trunc('month', created_at) = m - interval 1 month) a,
  (select sum(amount) from orders where date_trunc('month', created_at) = m - interval 2 month) b,
  exists (select 1 from orders where date_trunc('month', created_at) between m - interval 2 month and m) t
from p)
select m, r, a, b, r - a, null from q where t and b is null order by 1
