select o.id, price, 1, case when customer_id is not null then 1 end, case when c.id is not null then 1 end,
  case when l.order_id is not null then 1 end, 1.0 * quantity / 1
from orders o left join customers c on c.id = customer_id left join line_items l on l.order_id = o.id order by 1, 2 nulls last
