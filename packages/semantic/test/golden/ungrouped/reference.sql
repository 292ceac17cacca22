select status, 1, case when status = 'done' then 1 end, amount, 100.0 * case when status = 'done' then 1 end / 1, quantity
from orders o left join line_items l on l.order_id = o.id order by amount nulls last, quantity nulls last
