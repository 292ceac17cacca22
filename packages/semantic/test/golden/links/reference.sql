SELECT
  id,
  'https://example.com/find?who%20%26%20where=' || replace(replace(name, '%', '%25'), ' ', '%20') ||
    '&city=' || replace(coalesce(city, '='), '=', '%3D'),
  '/dashboard/it''s 7?id=' || id,
  'mailto:' || name,
  1
FROM customers
ORDER BY id
