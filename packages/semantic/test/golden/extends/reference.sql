select 'done', count(*), -sum(amount) from orders where status = 'done'
