with g as (select city, status, sum(amount) r from orders o left join customers c on c.id = o.customer_id group by 1, 2)
select city, status, r, sum(r) over (partition by city), r / sum(r) over (partition by city), sum(r) over (partition by city) from g order by 1 nulls last, 2 nulls last
