with p as (select c, case c when 'EUR' then amount when 'USD' then amount * 2 else -1 end price, amount from orders, (values ('EUR'), ('USD'), ('GBP')) t(c))
select c, price, case when c = 'EUR' then case when sum(amount) > 10 then 'large' else 'small' end else case when count(*) > 2 then 'many' else 'few' end end, count(*)
from p where price <> 2 or price is null group by 1, 2 order by 1, 2 nulls last
