with p as (select unnest(generate_series(timestamp '2023-11-01', timestamp '2024-12-01', interval 1 month)) m)
select date_trunc('quarter', m), m,
  (select sum(amount) from orders where created_at >= date_trunc('year', m) and created_at < m + interval 1 month),
  (select sum(1) from orders where created_at >= date_trunc('quarter', m) and created_at < m + interval 1 month)
from p order by 2 desc limit 9 offset 2
