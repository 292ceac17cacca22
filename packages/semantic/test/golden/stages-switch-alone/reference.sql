select c from (values ('EUR'), ('USD'), ('GBP')) t(c) order by 1 desc
