select city, date_trunc('year', signed_up), sum(r), sum(p), count(*), sum(r) / sum(p) from (
  select c.*, (select sum(amount) from orders o where o.customer_id = c.id and amount > 5 and (status = 'done' or status is null)) r,
    (select sum(points) from profiles p where p.customer_id = c.id) p from customers c)
group by 1, 2 order by 2, 1 nulls last
