select order_id, line, amount, amount from line_items left join orders on id = order_id order by 1, 2
