select status, sum(amount), count(*) from orders where amount > 5 and status is not null group by 1 order by 1 nulls last
