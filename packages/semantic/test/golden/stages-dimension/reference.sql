with o as (select o.*, c.id cid, c.city from orders o left join customers c on c.id = o.customer_id),
t as (select cid, case when sum(amount) > 20 then 'big' else 'small' end tier, count(*) n, min(created_at) f from o group by 1),
x as (select o.*, t.tier, t.n, t.f from o join t on t.cid is not distinct from o.cid)
select tier, count(*), sum(amount), count(distinct cid) from x group by 1 order by 1
