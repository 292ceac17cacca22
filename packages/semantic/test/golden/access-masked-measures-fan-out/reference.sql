select status, case when status = 'done' then sum(amount) else -1 end, case when status = 'done' then avg(amount) else round(avg(amount), -1) end,
(select sum(quantity) from line_items where order_id in (select id from orders x where x.status is not distinct from o.status)) from orders o group by status order by 1 nulls last
