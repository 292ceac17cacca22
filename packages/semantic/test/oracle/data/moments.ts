/** Times (UTC) at which calendars are easy to get wrong: changes of clocks, ends of months and years, leap days, weeks. */
export const moments = [
  '2023-12-31 04:59:59.999',
  '2023-12-31 23:59:59.999',
  '2024-01-01 00:00:00',
  '2024-01-01 05:00:00',
  '2024-01-31 23:30:00',
  '2024-02-29 00:00:00',
  '2024-02-29 23:59:59.999',
  '2024-03-01 00:00:00',
  '2024-03-10 06:59:59.999', // New York's clocks go forward
  '2024-03-10 07:00:00',
  '2024-03-31 00:59:59.999', // Berlin's clocks go forward
  '2024-03-31 01:00:00',
  '2024-04-06 13:59:59.999', // Auckland's clocks go back
  '2024-04-06 14:00:00',
  '2024-05-05 23:15:00', // a Sunday, and a Monday east of Greenwich
  '2024-06-30 18:14:59.999',
  '2024-07-01 03:59:59.999',
  '2024-09-28 14:00:00', // Auckland's clocks go forward
  '2024-10-27 00:30:00', // Berlin's clocks go back
  '2024-10-27 01:30:00',
  '2024-11-03 05:30:00', // New York's clocks go back
  '2024-11-03 06:30:00',
  '2024-12-30 11:00:00', // week 1 of 2025
  '2024-12-31 23:59:59.999',
  '2025-01-01 00:00:00',
] as const

/** Another moment for each place in a list, evenly over two years. */
export function momentAt(place: number): string {
  const instant = Date.UTC(2023, 6, 1) + place * 37 * 3_600_000 + place * 91_000
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
}
