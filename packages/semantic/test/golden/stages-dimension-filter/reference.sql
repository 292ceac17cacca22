with o as (select o.*, c.id cid, c.city from orders o left join customers c on c.id = o.customer_id),
k as (select city, status, cid, case when sum(amount) > 20 then 'big' else 'small' end tier from o where status is not null group by 1, 2, 3)
select o.city, o.status, count(*), count(distinct o.cid) from o join k on k.cid is not distinct from o.cid and k.city is not distinct from o.city and k.status = o.status where tier = 'big' group by 1, 2 order by 1 nulls last, 2
