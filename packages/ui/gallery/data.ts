import type { Cell, Column, Result } from '../src/results/result.ts'

const cities = ['Oslo', 'Bergen', 'Trondheim', 'Stavanger', 'Tromsø', 'Drammen', 'Fredrikstad', 'Kristiansand']
const sources = ['Web', 'Shop', 'Phone', 'Partner']

/** Numbers that look like chance and are the same every time. */
function steady(index: number): number {
  const value = Math.sin(index * 12.9898) * 43758.5453
  return value - Math.floor(value)
}

const revenue: Column = {
  name: 'orders.revenue',
  title: 'Revenue',
  type: 'number',
  isMeasure: true,
  format: 'currency',
  currency: 'EUR',
}
const month: Column = { name: 'orders.at.month', title: 'Month', type: 'time', granularity: 'month' }

export const byMonth: Result = {
  columns: [month, { name: 'orders.source', title: 'Source', type: 'string' }, revenue],
  rows: Array.from({ length: 24 }, (_, at) => at).flatMap(at =>
    sources.map((source, series): Cell[] => [
      `${2023 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01T00:00:00.000`,
      source,
      String(Math.round((series * 90_000 + 60_000 + at * 2500 + steady(at * 4 + series) * 30_000) * 100) / 100),
    ]),
  ),
}

export const allMonths: Result = {
  columns: [month, revenue],
  rows: Array.from({ length: 24 }, (_, at): Cell[] => [
    `${2023 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01T00:00:00.000`,
    String(Math.round((500_000 + at * 4000 + steady(at) * 90_000) * 100) / 100),
  ]),
}

export const byCity: Result = {
  columns: [{ name: 'orders.city', title: 'City', type: 'string' }, revenue],
  rows: cities.map((city, at) => [city, String(Math.round(steady(at) * 500_000 + 80_000))]),
  totalRows: 40,
}

export const large: Result = {
  columns: [
    { name: 'id', title: 'Order', type: 'number', format: 'id' },
    { name: 'city', title: 'City', type: 'string' },
    { name: 'at', title: 'At', type: 'time', granularity: 'day' },
    { ...revenue, name: 'revenue' },
    { name: 'share', title: 'Share', type: 'number', format: 'percent', isMeasure: true },
    { name: 'note', title: '<b onmouseover=alert(1)>Note</b>', type: 'string' },
    { name: 'site', title: 'Site', type: 'string', format: { type: 'link', label: 'Open' } },
  ],
  rows: Array.from({ length: 100_000 }, (_, at): Cell[] => [
    at + 1,
    cities[at % cities.length] ?? null,
    `2024-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 28) + 1).padStart(2, '0')}T00:00:00.000`,
    at % 17 === 0 ? null : String(Math.round(steady(at) * 100_000) / 100),
    steady(at + 1),
    at % 5 === 0 ? '<img src=x onerror=alert(1)>' : `note ${at}`,
    at % 3 === 0 ? 'javascript:alert(1)' : 'https://example.com/',
  ]),
}

export const byCountry: Result = {
  columns: [
    { name: 'c.country', title: 'Country', type: 'string' },
    { ...revenue, name: 'c.revenue' },
  ],
  rows: [
    'Norway',
    'SE',
    'DEU',
    'United States',
    'Brazil',
    'Japan',
    'Côte d’Ivoire',
    'South Africa',
    'India',
    'Atlantis',
  ].map((name, at) => [name, String(100 + at * 50)]),
}

export const airports: Result = {
  columns: [
    { name: 'a.latitude', title: 'Latitude', type: 'number' },
    { name: 'a.longitude', title: 'Longitude', type: 'number' },
    { name: 'a.name', title: 'Airport', type: 'string' },
    { name: 'a.flights', title: 'Flights', type: 'number', isMeasure: true },
  ],
  rows: [
    [40.64, -73.78, 'JFK', 900],
    [33.94, -118.4, 'LAX', 850],
    [41.97, -87.9, 'ORD', 1000],
    [21.32, -157.92, 'HNL', 300],
    [61.17, -149.99, 'ANC', 120],
    [29.64, -95.28, 'HOU', 500],
  ],
}

export const specs = {
  line: {
    mark: 'line',
    encoding: {
      x: { field: 'orders.at.month', type: 'temporal' },
      y: { field: 'orders\\.revenue', type: 'quantitative' },
      color: { field: 'orders.source', type: 'nominal' },
    },
  },
  bar: JSON.stringify({
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    usermeta: { embedOptions: { actions: true, sourceHeader: '<script>alert(1)</script>' } },
    data: { url: 'https://evil.example/rows.json' },
    mark: 'bar',
    encoding: {
      x: { field: 'orders.city', type: 'nominal', sort: '-y' },
      y: { field: 'orders.revenue', type: 'quantitative' },
    },
  }),
  stacked: {
    mark: 'bar',
    encoding: {
      x: { field: 'orders.at.month', type: 'temporal', timeUnit: 'yearquarter' },
      y: { field: 'orders.revenue', type: 'quantitative', aggregate: 'sum' },
      color: { field: 'orders.source', type: 'nominal' },
    },
  },
  months: {
    mark: 'area',
    encoding: {
      x: { field: 'orders.at.month', type: 'temporal' },
      y: { field: 'orders.revenue', type: 'quantitative' },
    },
  },
  pie: {
    mark: 'arc',
    encoding: {
      theta: { field: 'orders.revenue', type: 'quantitative', aggregate: 'sum' },
      color: { field: 'orders.source', type: 'nominal' },
    },
  },
  broken: { mark: 'nothing-of-the-kind', encoding: {} },
  images: {
    mark: 'image',
    encoding: {
      x: { field: 'orders.city' },
      y: { field: 'orders.revenue', type: 'quantitative' },
      url: { value: 'https://evil.example/i.png' },
    },
  },
}
