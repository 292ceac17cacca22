select status, case when status = 'done' then sum(amount) else -1 end, case when status = 'done' then avg(amount) else round(avg(amount), -1) end,
case when status = 'done' then 1.0 end from orders group by 1 order by 1 nulls last
