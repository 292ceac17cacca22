select * from (values ('01', 2), ('02', 1), ('03', 3), ('11', 2), ('12', 2)) t(m, n) order by 1
