/** One question, asked of the demo and of its files. */
export interface Case {
  readonly name: string
  readonly query: Readonly<Record<string, unknown>>
  /** Members in the order of the statement's columns. */
  readonly columns: readonly string[]
  readonly sql: string
}

const measures = [
  'count',
  'delayed_count',
  'share_delayed',
  'average_delay',
  'longest_delay',
  'distance_flown',
  'routes',
].map(name => `flights.${name}`)
const allMeasures = `count(*), count(*) FILTER (delay >= 15), count(*) FILTER (delay >= 15)::DOUBLE / count(*), avg(delay),
  max(delay), sum(distance), count(DISTINCT origin || '-' || destination)`
const by = (granularity: string, dateRange?: readonly string[]) => [
  { dimension: 'flights.departed_at', granularity, ...(dateRange === undefined ? {} : { dateRange }) },
]

// Offsets are written out rather than taken from a time-zone table, so that the two sides share nothing.
const inNewYork = "date - CASE WHEN date < '2001-04-01 07:00' THEN INTERVAL 5 HOUR ELSE INTERVAL 4 HOUR END"
const inBerlin = "date + CASE WHEN date < '2001-03-25 01:00' THEN INTERVAL 1 HOUR ELSE INTERVAL 2 HOUR END"
const inSydney = "date + CASE WHEN date < '2001-03-24 16:00' THEN INTERVAL 11 HOUR ELSE INTERVAL 10 HOUR END"

export const cases: readonly Case[] = [
  {
    name: 'every measure of all flights',
    query: { measures },
    columns: measures,
    sql: `SELECT ${allMeasures} FROM flights`,
  },
  {
    name: 'every measure by month',
    query: { measures, timeDimensions: by('month') },
    columns: ['flights.departed_at.month', ...measures],
    sql: `SELECT date_trunc('month', date), ${allMeasures} FROM flights GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'by week, which begins on Monday',
    query: { measures: ['flights.count', 'flights.distance_flown'], timeDimensions: by('week') },
    columns: ['flights.departed_at.week', 'flights.count', 'flights.distance_flown'],
    sql: `SELECT (date::DATE - INTERVAL 1 DAY * (isodow(date) - 1))::TIMESTAMP, count(*), sum(distance)
      FROM flights GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'by quarter and by year',
    query: { measures: ['flights.count'], timeDimensions: [...by('quarter'), ...by('year')] },
    columns: ['flights.departed_at.quarter', 'flights.departed_at.year', 'flights.count'],
    sql: `SELECT make_timestamp(2001, 1 + 3 * (quarter(date) - 1), 1, 0, 0, 0), TIMESTAMP '2001-01-01 00:00:00', count(*)
      FROM flights GROUP BY 1, 2 ORDER BY 1`,
  },
  {
    name: 'by day of a range, in New York, where clocks go forward within it',
    query: {
      measures: ['flights.count', 'flights.average_delay'],
      timeDimensions: by('day', ['2001-03-30', '2001-04-03']),
      timezone: 'America/New_York',
    },
    columns: ['flights.departed_at.day', 'flights.count', 'flights.average_delay'],
    sql: `SELECT (${inNewYork})::DATE::TIMESTAMP, count(*), avg(delay) FROM flights
      WHERE (${inNewYork})::DATE BETWEEN '2001-03-30' AND '2001-04-03' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'by hour of the day on which clocks go forward in New York',
    query: {
      measures: ['flights.count'],
      timeDimensions: by('hour', ['2001-04-01', '2001-04-01']),
      timezone: 'America/New_York',
    },
    columns: ['flights.departed_at.hour', 'flights.count'],
    sql: `SELECT date_trunc('hour', ${inNewYork}), count(*) FROM flights
      WHERE (${inNewYork})::DATE = '2001-04-01' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'by hour of the day on which clocks go forward in Berlin',
    query: {
      measures: ['flights.count', 'flights.longest_delay'],
      timeDimensions: by('hour', ['2001-03-25', '2001-03-25']),
      timezone: 'Europe/Berlin',
    },
    columns: ['flights.departed_at.hour', 'flights.count', 'flights.longest_delay'],
    sql: `SELECT date_trunc('hour', ${inBerlin}), count(*), max(delay) FROM flights
      WHERE (${inBerlin})::DATE = '2001-03-25' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'by month in Sydney, where clocks go back',
    query: { measures: ['flights.count'], timeDimensions: by('month'), timezone: 'Australia/Sydney' },
    columns: ['flights.departed_at.month', 'flights.count'],
    sql: `SELECT date_trunc('month', ${inSydney}), count(*) FROM flights GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'by day in a zone of half an hour',
    query: {
      measures: ['flights.count'],
      timeDimensions: by('day', ['2001-02-01', '2001-02-07']),
      timezone: 'Asia/Kolkata',
    },
    columns: ['flights.departed_at.day', 'flights.count'],
    sql: `SELECT (date + INTERVAL 330 MINUTE)::DATE::TIMESTAMP, count(*) FROM flights
      WHERE (date + INTERVAL 330 MINUTE)::DATE BETWEEN '2001-02-01' AND '2001-02-07' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'the busiest cities of departure',
    query: { measures: ['flights.count', 'flights.share_delayed'], dimensions: ['origin_airports.city'], limit: 25 },
    columns: ['origin_airports.city', 'flights.count', 'flights.share_delayed'],
    sql: `SELECT a.city, count(*), count(*) FILTER (f.delay >= 15)::DOUBLE / count(*)
      FROM flights f LEFT JOIN airports a ON a.iata = f.origin GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 25`,
  },
  {
    name: 'both airports at once, state by state',
    query: {
      measures: ['flights.count', 'flights.average_delay'],
      dimensions: ['origin_airports.state', 'destination_airports.state'],
      order: [
        ['origin_airports.state', 'asc'],
        ['destination_airports.state', 'desc'],
      ],
    },
    columns: ['origin_airports.state', 'destination_airports.state', 'flights.count', 'flights.average_delay'],
    sql: `SELECT o.state, d.state, count(*), avg(f.delay) FROM flights f
      LEFT JOIN airports o ON o.iata = f.origin LEFT JOIN airports d ON d.iata = f.destination
      GROUP BY 1, 2 ORDER BY 1, 2 DESC`,
  },
  {
    name: 'between two cities, each filtered in its role, through the view',
    query: {
      measures: ['flight_facts.count', 'flight_facts.longest_delay'],
      dimensions: ['flight_facts.origin_code', 'flight_facts.destination_code'],
      filters: [
        { member: 'flight_facts.origin_city', operator: 'equals', values: ['Chicago', 'New York'] },
        { member: 'flight_facts.destination_state', operator: 'equals', values: ['CA'] },
      ],
      order: { 'flight_facts.origin_code': 'asc', 'flight_facts.destination_code': 'asc' },
    },
    columns: [
      'flight_facts.origin_code',
      'flight_facts.destination_code',
      'flight_facts.count',
      'flight_facts.longest_delay',
    ],
    sql: `SELECT f.origin, f.destination, count(*), max(f.delay) FROM flights f
      JOIN airports o ON o.iata = f.origin JOIN airports d ON d.iata = f.destination
      WHERE o.city IN ('Chicago', 'New York') AND d.state = 'CA' GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    name: 'a segment, by airport of arrival',
    query: {
      measures: ['flights.count', 'flights.average_delay'],
      dimensions: ['flights.destination'],
      segments: ['flights.delayed'],
      order: { 'flights.destination': 'asc' },
    },
    columns: ['flights.destination', 'flights.count', 'flights.average_delay'],
    sql: `SELECT destination, count(*), avg(delay) FROM flights WHERE delay >= 15 GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'filters on measures, one of them not shown',
    query: {
      measures: ['flights.average_delay'],
      dimensions: ['flights.origin'],
      filters: [
        { member: 'flights.count', operator: 'gt', values: ['20000'] },
        {
          or: [
            { member: 'flights.average_delay', operator: 'gte', values: ['8'] },
            { member: 'flights.share_delayed', operator: 'lt', values: ['0.15'] },
          ],
        },
      ],
    },
    columns: ['flights.origin', 'flights.average_delay'],
    sql: `SELECT origin, avg(delay) FROM flights GROUP BY 1
      HAVING count(*) > 20000 AND (avg(delay) >= 8 OR count(*) FILTER (delay >= 15)::DOUBLE / count(*) < 0.15)
      ORDER BY 2 DESC, 1`,
  },
  {
    name: 'the first ten where many are equal',
    query: {
      measures: ['flights.count'],
      dimensions: ['flights.delay'],
      filters: [{ member: 'flights.delay', operator: 'gt', values: ['600'] }],
      order: { 'flights.count': 'asc' },
      limit: 10,
    },
    columns: ['flights.delay', 'flights.count'],
    sql: `SELECT delay, count(*) FROM flights WHERE delay > 600 GROUP BY 1 ORDER BY 2, 1 LIMIT 10`,
  },
  {
    name: 'the next ten of them',
    query: {
      measures: ['flights.count'],
      dimensions: ['flights.delay'],
      filters: [{ member: 'flights.delay', operator: 'gt', values: ['600'] }],
      order: { 'flights.count': 'asc' },
      limit: 10,
      offset: 10,
    },
    columns: ['flights.delay', 'flights.count'],
    sql: `SELECT delay, count(*) FROM flights WHERE delay > 600 GROUP BY 1 ORDER BY 2, 1 LIMIT 10 OFFSET 10`,
  },
  {
    name: 'distinct routes, by state',
    query: { measures: ['flights.routes'], dimensions: ['origin_airports.state'] },
    columns: ['origin_airports.state', 'flights.routes'],
    sql: `SELECT state, count(*) FROM (
        SELECT DISTINCT a.state, f.origin, f.destination FROM flights f JOIN airports a ON a.iata = f.origin
      ) GROUP BY 1 ORDER BY 2 DESC, 1`,
  },
  {
    name: 'airports that have flights to a state, each counted once',
    query: {
      measures: ['origin_airports.count', 'flights.count'],
      dimensions: ['destination_airports.state'],
      order: { 'destination_airports.state': 'asc' },
    },
    columns: ['destination_airports.state', 'origin_airports.count', 'flights.count'],
    sql: `SELECT d.state, count(DISTINCT f.origin), count(*) FROM flights f
      JOIN airports d ON d.iata = f.destination GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'airports on their own',
    query: { measures: ['origin_airports.count'], dimensions: ['origin_airports.state'] },
    columns: ['origin_airports.state', 'origin_airports.count'],
    sql: `SELECT state, count(*) FROM airports GROUP BY 1 ORDER BY 2 DESC, 1`,
  },
  {
    name: 'punctuality, which the model makes',
    query: {
      measures: ['flights.count', 'flights.longest_delay'],
      dimensions: ['flights.punctuality'],
      timeDimensions: by('month'),
    },
    columns: ['flights.departed_at.month', 'flights.punctuality', 'flights.count', 'flights.longest_delay'],
    sql: `SELECT date_trunc('month', date), CASE WHEN delay < 15 THEN 'on time' WHEN delay < 60 THEN 'late' ELSE 'very late' END,
      count(*), max(delay) FROM flights GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    name: 'words in names, and what is not there',
    query: {
      measures: ['flights.count'],
      dimensions: ['origin_airports.name'],
      filters: [
        { member: 'origin_airports.name', operator: 'contains', values: ['intl', 'REGIONAL'] },
        { member: 'origin_airports.city', operator: 'notStartsWith', values: ['s'] },
        { member: 'flights.departed_at', operator: 'inDateRange', values: ['2001-02-10', '2001-02-12'] },
      ],
      limit: 40,
    },
    columns: ['origin_airports.name', 'flights.count'],
    sql: `SELECT a.name, count(*) FROM flights f JOIN airports a ON a.iata = f.origin
      WHERE (a.name ILIKE '%intl%' OR a.name ILIKE '%regional%') AND a.city NOT ILIKE 's%'
        AND f.date >= '2001-02-10' AND f.date < '2001-02-13' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 40`,
  },
  {
    name: 'nothing',
    query: {
      measures: ['flights.count', 'flights.average_delay'],
      dimensions: ['flights.origin'],
      timeDimensions: by('day', ['1999-01-01', '1999-12-31']),
    },
    columns: ['flights.departed_at.day', 'flights.origin', 'flights.count', 'flights.average_delay'],
    sql: `SELECT date, origin, 1, 1 FROM flights WHERE date < '2000-01-01'`,
  },
  {
    name: 'measures of nothing',
    query: {
      measures,
      timeDimensions: [{ dimension: 'flights.departed_at', dateRange: ['1999-01-01', '1999-12-31'] }],
    },
    columns: measures,
    sql: `SELECT 0, 0, NULL, NULL, NULL, NULL, 0`,
  },
]
