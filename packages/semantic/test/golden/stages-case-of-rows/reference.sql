with o as (select o.*, c.id cid, c.city from orders o left join customers c on c.id = o.customer_id),
g as (select case status when 'done' then city when 'open' then 'open' end place, status, sum(amount) r, count(*) n from o group by 1, 2)
select place, sum(case status when 'done' then r when 'open' then n * 100 end), sum(n) from g group by 1 order by 1 nulls last
