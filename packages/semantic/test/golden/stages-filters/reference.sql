select city, sum(amount) filter (where status = 'open'), sum(amount), sum(amount) filter (where status = 'done'), sum(amount) filter (where status = 'open'), sum(amount) filter (where status = 'open')
from orders o left join customers c on c.id = o.customer_id group by 1 order by 1 nulls last
