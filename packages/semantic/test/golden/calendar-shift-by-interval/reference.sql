with f as (select * from fiscal_days where day between '2024-02-01' and '2025-12-31')
select f.quarter_start, cast(f.day as timestamp),
  (select nullif(count(*), 0) from orders o where cast(o.created_at as date) = f.day),
  (select sum(o.amount) from orders o where cast(o.created_at as date) = f.year_ago),
  (select sum(l.quantity) from orders o join line_items l on l.order_id = o.id where cast(o.created_at as date) = f.year_ago)
from f
where exists (select 1 from orders o where cast(o.created_at as date) in (f.day, f.year_ago))
order by 2
