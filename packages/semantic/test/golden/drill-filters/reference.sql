SELECT id, 1 FROM orders WHERE status = 'done' AND amount > 5 ORDER BY id
