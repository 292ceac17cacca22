select c.name, sum(quantity) from line_items l left join products p on p.id = l.product_id left join customers c on c.id = p.id group by 1 order by 1 nulls last
