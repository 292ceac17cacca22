select 100.0 * 5 / 10, 10 - (5 + 5), sum(amount * amount) / 10, true, 'cancelled', timestamp '2024-12-30 12:00:00' from orders
