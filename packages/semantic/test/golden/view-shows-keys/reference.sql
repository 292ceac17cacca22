SELECT id, status, 1 FROM orders ORDER BY 1
