with o as (select o.*, f.day from orders o join fiscal_days f on f.day = cast(o.created_at as date)),
h as (select unnest([timestamp '2024-01-01', timestamp '2024-07-01', timestamp '2025-01-01']) h)
select * from (select h,
  (select sum(amount) from o where day >= h and day < h + interval 6 month) r,
  (select sum(amount) from o where day + interval 14 day >= h and day + interval 14 day < h + interval 6 month) t,
  (select sum(amount) from o where day + interval 1 month >= h and day + interval 1 month < h + interval 6 month) m
from h) where r is not null or t is not null or m is not null
order by 1
