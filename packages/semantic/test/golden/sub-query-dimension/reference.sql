with o as (
  select orders.*, city, (select sum(quantity * price) from line_items l where l.order_id = orders.id) v,
    (select sum(quantity) from line_items l where l.order_id = orders.id) q
  from orders left join customers c on c.id = customer_id
)
select city, count(*), avg(v), count(*) filter (where v > 10), sum(coalesce(v, 0) - amount), sum(q)
from o where v < 60 or v is null group by 1 order by 1 nulls last
