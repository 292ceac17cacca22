with o as (select o.*, c.id cid, c.city from orders o left join customers c on c.id = o.customer_id),
t as (select cid, case when sum(amount) > 20 then 'big' else 'small' end tier, count(*) n, min(created_at) f from o group by 1),
x as (select o.*, t.tier, t.n, t.f from o join t on t.cid is not distinct from o.cid)
select date_trunc('month', f), count(*) from x where f >= '2024-01-01' and f < '2024-07-01' group by 1 order by 1
