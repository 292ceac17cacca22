select timestamp '2024-03-10', 2
