with p as (select distinct customer_id, product_id from orders join line_items on order_id = id),
r as (select category, c.id, year(signed_up) y, p.customer_id pc, p.product_id, q.id q from customers c left join p on p.customer_id = c.id left join products q on q.id = p.product_id)
select category, count(distinct id), (select sum(y) from (select distinct id, y from r r2 where r2.category is not distinct from r.category)),
  count(distinct (pc, product_id)) filter (where pc is not null), count(distinct q) from r group by 1 order by 1 nulls last
