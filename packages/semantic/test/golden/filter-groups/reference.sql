select count(*), sum(amount) from orders o left join customers c on c.id = o.customer_id where (status = 'done' and amount < 20) or amount >= 100 or is_member = false or is_member is null
