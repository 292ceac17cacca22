select id from (values (1), (2), (4), (5), (6)) t(id) order by 1
