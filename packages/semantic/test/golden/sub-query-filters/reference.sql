select distinct c.id, (select count(*) from orders o where o.customer_id = c.id),
  (select count(*) from orders o where o.customer_id = c.id and status = 'done' and created_at < '2024-07-01')
from customers c join orders x on x.customer_id = c.id
where x.status = 'done' and x.created_at < '2024-07-01' and city is not null order by 1
