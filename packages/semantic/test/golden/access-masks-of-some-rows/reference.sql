select case when city = 'Berlin' then c.name else substr(c.name, 1, 1) || '***' end, case when city = 'Berlin' then city else 'hidden' end, count(*)
from orders o left join customers c on c.id = o.customer_id group by 1, 2 order by 1 nulls last, 2 nulls last
