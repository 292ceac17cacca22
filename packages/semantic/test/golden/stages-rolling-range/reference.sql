with o as (select o.*, city from orders o left join customers c on c.id = o.customer_id)
select city,
  sum(amount) filter (where created_at >= timestamp '2024-09-04' and created_at < timestamp '2024-11-03'),
  sum(amount) filter (where created_at < timestamp '2024-11-03'),
  sum(amount) filter (where created_at >= timestamp '2024-01-01' and created_at < timestamp '2024-11-03'),
  nullif(count(*) filter (where created_at >= timestamp '2024-03-01' and created_at < timestamp '2024-11-03'), 0)
from o where created_at < timestamp '2024-11-03' group by 1 having sum(amount) > 40 order by 1 nulls last
