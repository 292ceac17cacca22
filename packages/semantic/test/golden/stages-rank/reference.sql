with g as (select city, status, sum(amount) r from orders o left join customers c on c.id = o.customer_id group by 1, 2),
k as (select *, rank() over (partition by city order by r desc nulls last) k from g)
select * from k where k <= 2 order by 1 nulls last, 4
