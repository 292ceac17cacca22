select * from (values
  (timestamp '2022-02-01', timestamp '2022-09-10', timestamp '2023-01-15 10:00:00', 1),
  (timestamp '2023-02-01', timestamp '2023-02-10', timestamp '2023-06-30 23:30:00', 1),
  (timestamp '2024-02-01', timestamp '2023-12-10', timestamp '2024-02-29 00:00:00', 1),
  (timestamp '2024-02-01', timestamp '2023-12-10', timestamp '2024-03-10 06:30:00', 1),
  (timestamp '2024-02-01', timestamp '2023-12-10', timestamp '2024-03-31 22:45:00', 1)) t(a, b, c, n) order by 3
