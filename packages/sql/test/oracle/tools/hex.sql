with source as (select * from "t") select "s", sum("b") as "b_sum" from source group by "s" order by "b_sum" desc nulls last limit 10000;
with source as (select s, date_trunc('month', d) as month, b from t where d is not null), monthly as (select month, sum(b) as total from source group by 1) select month, total, sum(total) over (order by month) as running from monthly order by month;
select count(*) as row_count from (select * from t where a is not null) as hex_subquery;
with ranked as (select s, b, row_number() over (partition by s order by b desc nulls last) as rank from t) select s, b from ranked where rank = 1;
select s, count(*) filter (where f) as yes, count(*) filter (where not f) as no from t group by 1;
select date_trunc('week', d)::date as week, count(distinct s) as texts from t group by 1 order by 1;
with base as (select coalesce(s, 'none') as s, b from t) select s, round(avg(b), 2) as mean, percentile_cont(0.5) within group (order by b) as median from base group by 1
