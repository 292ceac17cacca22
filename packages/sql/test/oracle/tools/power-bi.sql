select "_"."s", "_"."a0" from ( select "rows"."s" as "s", sum("rows"."b") as "a0" from ( select "_"."s", "_"."b" from "public"."t" "_" ) "rows" group by "s" ) "_" where not "_"."a0" is null limit 1000001;
select "_"."s" from ( select "s" from "public"."t" "$Table" ) "_" group by "_"."s" limit 101;
select count(distinct("rows"."s")) + max(case when "rows"."s" is null then 1 else 0 end) as "a0" from ( select "s" from "public"."t" "$Table" ) "rows";
select "rows"."f" as "f", count(1) as "a0", avg("rows"."b") as "a1" from ( select "_"."f", "_"."b" from "public"."t" "_" where "_"."d" >= timestamp '2024-01-01 00:00:00' and "_"."d" < timestamp '2025-01-01 00:00:00' ) "rows" group by "f";
select "_"."s", "_"."a0" from ( select "_"."s", "_"."a0" from ( select "rows"."s" as "s", sum("rows"."a") as "a0" from "public"."t" "rows" group by "s" ) "_" where not "_"."a0" is null ) "_" order by "_"."a0" desc, "_"."s" limit 2;
select "$Table"."id" as "id", "$Table"."a" as "a", "$Table"."b" as "b", "$Table"."s" as "s", "$Table"."f" as "f", "$Table"."d" as "d" from "public"."t" "$Table" limit 1000;
select "_"."c1", sum("_"."b") as "a0" from ( select extract(year from "_"."d") as "c1", "_"."b" as "b" from "public"."t" "_" ) "_" group by "_"."c1";
select "_"."s" from "public"."t" "_" where "_"."s" like '%b%' and "_"."s" is not null group by "_"."s"
