with o as (select o.*, c.id cid, c.city from orders o left join customers c on c.id = o.customer_id where status <> 'cancelled' or status is null),
t as (select cid, case when sum(amount) > 20 then 'big' else 'small' end tier, count(*) n from o group by 1),
d as (select c.id cid, case when sum(amount) >= 30 then 'big' else 'small' end done_tier from orders o left join customers c on c.id = o.customer_id where status = 'done' group by 1),
x as (select amount, tier, case when tier = 'big' and n > 1 then 'loyal' when tier = 'big' then tier else 'other' end loyalty, done_tier
  from o join t on t.cid is not distinct from o.cid left join d on d.cid is not distinct from o.cid),
g as (select loyalty, done_tier, tier, sum(amount) r from x group by 1, 2, 3)
select loyalty, done_tier, sum(r), avg(r), sum(r) filter (tier = 'big') from g group by 1, 2 order by 1, 2 nulls last
