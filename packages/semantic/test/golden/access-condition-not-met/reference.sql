select status, count(*) from orders where status = 'open' group by 1 order by 1 nulls last
