with o as (select city, status, amount from orders o left join customers c on c.id = o.customer_id),
s as (select city, status, sum(amount) r, count(*) n from o group by 1, 2),
g as (select city, sum(r) r, sum(n) n, max(r) br, max(n) bn from s group by 1),
x as (select city, c, case c when 'EUR' then r when 'USD' then r * 2 else n end v, case c when 'EUR' then br when 'USD' then br * 2 else bn end b, r from g, (values ('EUR'), ('USD'), ('GBP')) t(c))
select * from x where v < 100 order by 1 nulls last, 2
