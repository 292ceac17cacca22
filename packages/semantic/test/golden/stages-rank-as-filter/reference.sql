with g as (select city, status, sum(amount) r from orders o left join customers c on c.id = o.customer_id group by 1, 2),
k as (select *, rank() over (partition by city order by r desc nulls last) k from g)
select city, sum(r) filter (where k = 1), sum(r) from k group by 1 order by 1 nulls last
