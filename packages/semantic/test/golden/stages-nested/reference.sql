with o as (select o.*, c.id cid, city from orders o left join customers c on c.id = o.customer_id),
t as (select status, cid, sum(amount) r from o group by 1, 2)
select status, avg(r), (select max(r) from (select cid, status, sum(amount) r from o group by 1, 2)), (select count(distinct city) from o), max(r) - min(r) from t group by 1 order by 1 nulls last
