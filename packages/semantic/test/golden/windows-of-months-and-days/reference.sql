with o as (select *, timezone('America/New_York', timezone('UTC', created_at)) t from orders),
n as (select unnest(generate_series(0, 11)) n),
p as (select timestamp '2023-12-31' + n * interval 1 month + n * interval 2 day as s,
  timestamp '2023-12-31' + (n + 1) * interval 1 month + (n + 1) * interval 2 day as e from n)
select s, (select sum(amount) from o where t >= s and t < e),
  (select sum(amount) from o where t >= e - interval 40 day and t < e),
  (select count(distinct customer_id) from o where t >= s and t < s + interval 1 month)
from p order by 1
