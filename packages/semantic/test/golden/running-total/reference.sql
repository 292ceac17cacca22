select month, (select sum(amount) from orders where created_at < month + interval 1 month)
from generate_series(timestamp '2024-01-01', timestamp '2024-04-01', interval 1 month) as months(month)
order by month
