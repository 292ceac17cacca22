with o as (select *, timezone('America/New_York', timezone('UTC', created_at)) t from orders),
p as (select unnest(generate_series(timestamp '2024-02-28', timestamp '2024-03-31', interval 1 day)) d),
q as (select d,
  (select nullif(count(*), 0) from o where date_trunc('day', t) = d) c,
  (select sum(amount) from o where date_trunc('day', t + interval 1 month) = d) r,
  (select nullif(count(*), 0) from o where date_trunc('day', t - interval 10 day) = d) n,
  (select sum(amount) from o where t + interval 1 month >= d + interval 1 day - interval 60 day and t + interval 1 month < d + interval 1 day) w
from p)
select * from q order by d desc
