select status, count(customer), avg(share), max(since) from (
  select distinct o.status, c.id as customer, case when c.is_member then 1.0 else 0 end as share, c.signed_up as since
  from orders o left join customers c on c.id = o.customer_id) group by 1 order by 1 nulls last
