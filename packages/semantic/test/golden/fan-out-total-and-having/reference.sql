select c.name, 1.0 * (select sum(quantity) from line_items l join orders x on x.id = l.order_id where x.customer_id = c.id) / count(*) q,
  sum(amount * amount) / count(*), 100.0 * count(*) filter (status = 'done') / count(*)
from orders o join customers c on c.id = o.customer_id group by c.id, c.name
having (select sum(quantity) from line_items l join orders x on x.id = l.order_id where x.customer_id = c.id) > 2 order by 1
