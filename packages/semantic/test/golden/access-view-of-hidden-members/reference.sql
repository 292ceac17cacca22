select c.name, count(*) from orders o left join (select * from customers where city <> 'Paris') c on c.id = o.customer_id group by 1 order by 1 nulls last
