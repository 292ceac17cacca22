select id, case when status = 'done' then amount else -1 end, case when status = 'done' then amount else -1 end, case when status = 'done' then amount end from orders order by 1
