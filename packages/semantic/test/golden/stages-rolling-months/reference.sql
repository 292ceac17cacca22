with p as (select unnest(generate_series(timestamp '2024-01-01', timestamp '2024-05-01', interval 1 month)) m),
q as (select m,
  (select sum(amount) from orders where created_at >= m + interval 1 month - interval 60 day and created_at < m + interval 1 month) w,
  (select sum(amount) from orders where date_trunc('month', created_at) = m) r,
  (select sum(amount) from orders where date_trunc('month', created_at) = m + interval 1 month) n
from p)
select m, w, r, r / w, n from q order by m
