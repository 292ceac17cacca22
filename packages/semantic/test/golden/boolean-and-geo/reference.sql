select latitude::varchar || ',' || longitude::varchar, is_member from customers where is_member order by 1
