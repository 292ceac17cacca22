select status, -1, round(avg(amount), -1), null, count(*) from orders group by 1 order by 1 nulls last
