select (select count(*) from orders), (select sum(points) from profiles where level = 'gold')
