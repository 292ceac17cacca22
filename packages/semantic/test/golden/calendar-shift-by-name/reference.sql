with f as (select * from fiscal_days where day between '2024-01-29' and '2025-12-31'),
now_ as (select f.month_start m, sum(o.amount) r from f join orders o on cast(o.created_at as date) = f.day group by 1),
ago as (select m, sum(amount) r from (select distinct f.month_start m, o.id, o.amount from f join orders o on cast(o.created_at as date) = f.year_ago) group by 1)
select coalesce(now_.m, ago.m), now_.r, ago.r, now_.r - ago.r
from now_ full join ago on ago.m = now_.m
order by 1
