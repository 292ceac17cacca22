with o as (select *, timezone('Europe/Berlin', timezone('UTC', created_at)) t from orders),
p as (select unnest(generate_series(timestamp '2024-03-30', timestamp '2024-04-01', interval 1 day)) d),
g as (select distinct d, status from p, o where t < d + interval 1 day)
select g.status, g.d,
  (select nullif(count(*), 0) from o where o.status is not distinct from g.status and date_trunc('day', t) = g.d),
  (select case when count(*) > 0 then count(distinct customer_id) end from o where o.status is not distinct from g.status and t >= g.d + interval 1 day - interval 60 day and t < g.d + interval 1 day),
  (select avg(amount) from o where o.status is not distinct from g.status and t < g.d + interval 1 day),
  (select nullif(count(*), 0) from o where o.status is not distinct from g.status and t < g.d)
from g order by 2, 1 nulls last
