create table customers (id integer, name varchar, city varchar, is_member boolean, signed_up timestamp, latitude double, longitude double);
insert into customers values
  (1, 'Ann', 'Berlin', true, '2023-01-15 10:00:00', 52.5, 13.4),
  (2, 'Bob', 'Berlin', false, '2023-06-30 23:30:00', 52.5, 13.4),
  (3, 'Cem_100%', 'Paris', true, '2024-02-29 00:00:00', 48.9, 2.4),
  (4, 'Dora', NULL, NULL, '2024-03-10 06:30:00', NULL, NULL),
  (5, 'cemile', 'Oslo', false, '2024-03-31 22:59:59.999', 59.9, 10.8);
create table profiles (customer_id integer, level varchar, points integer);
insert into profiles values (1, 'gold', 100), (3, 'silver', 40), (5, 'gold', 7);
create table orders (id integer, customer_id integer, status varchar, amount decimal(10, 2), created_at timestamp);
insert into orders values
  (1, 1, 'done', 10.50, '2024-01-01 04:59:59.999'),
  (2, 1, 'done', 20.00, '2024-01-01 05:00:00'),
  (3, 2, 'open', 5.25, '2024-01-31 23:59:59.999'),
  (4, 2, 'cancelled', NULL, '2024-02-29 12:00:00'),
  (5, 3, 'done', 100.00, '2024-03-10 06:59:00'),
  (6, 3, NULL, 7.00, '2024-03-10 07:01:00'),
  (7, NULL, 'open', 3.00, '2024-03-31 00:30:00'),
  (8, 4, 'done', 1.00, '2024-11-03 05:30:00'),
  (9, 4, 'open', 2.00, '2024-11-03 06:30:00'),
  (10, 99, 'done', 50.00, '2024-12-30 12:00:00');
create table line_items (order_id integer, line integer, product_id integer, quantity integer, price decimal(10, 2));
insert into line_items values
  (1, 1, 1, 2, 3.00), (1, 2, 2, 1, 4.50), (2, 1, 1, 5, 4.00), (3, 1, 3, 1, 5.25), (5, 1, 2, 10, 9.00),
  (5, 2, 3, 1, 10.00), (6, 1, NULL, 1, 7.00), (8, 1, 1, 1, 1.00), (9, 1, 1, 2, 1.00), (77, 1, 2, 1, 1.00);
create table products (id integer, name varchar, category varchar);
insert into products values (1, 'Pen', 'office'), (2, 'Ink', 'office'), (3, 'Tea', 'food'), (4, 'Nut', 'food');
create table fiscal_days (day date, week_start timestamp, month_start timestamp, quarter_start timestamp, year_start timestamp, year_ago date);
insert into fiscal_days values
  ('2024-01-01', '2024-01-01', '2023-12-25', '2023-10-30', '2023-01-30', '2023-01-02'),
  ('2024-01-31', '2024-01-29', '2024-01-29', '2024-01-29', '2024-01-29', '2023-02-01'),
  ('2024-02-01', '2024-01-29', '2024-01-29', '2024-01-29', '2024-01-29', '2023-02-02'),
  ('2024-02-29', '2024-02-26', '2024-02-26', '2024-01-29', '2024-01-29', '2023-03-02'),
  ('2024-03-10', '2024-03-04', '2024-02-26', '2024-01-29', '2024-01-29', '2023-03-12'),
  ('2024-11-03', '2024-10-28', '2024-10-28', '2024-10-28', '2024-01-29', '2023-11-05'),
  ('2024-12-30', '2024-12-30', '2024-12-23', '2024-10-28', '2024-01-29', '2024-01-01'),
  ('2025-01-28', '2025-01-27', '2024-12-23', '2024-10-28', '2024-01-29', NULL),
  ('2025-02-05', '2025-02-03', '2025-02-03', '2025-02-03', '2025-02-03', '2024-01-31'),
  ('2025-03-06', '2025-03-03', '2025-03-03', '2025-02-03', '2025-02-03', '2024-02-29'),
  ('2025-03-16', '2025-03-10', '2025-03-03', '2025-02-03', '2025-02-03', '2024-03-10'),
  ('2025-04-06', '2025-03-31', '2025-03-31', '2025-02-03', '2025-02-03', '2024-03-31'),
  ('2025-11-09', '2025-11-03', '2025-11-03', '2025-11-03', '2025-02-03', '2024-11-03'),
  ('2026-01-05', '2026-01-05', '2025-12-29', '2025-11-03', '2025-02-03', '2024-12-30');
