with c as (select * from customers where city not in ('Paris') and city is not null)
select c.city, count(*), sum(o.amount) from orders o left join c on c.id = o.customer_id group by 1 order by 1 nulls last
