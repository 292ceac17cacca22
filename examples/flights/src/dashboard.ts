/** A workbook with reports and a dashboard of them, as it is to be made in a deployment. */
export interface ExampleWorkbook {
  readonly slug: string
  readonly name: string
  /** By their public id, 12 letters and digits that are the same in every installation. */
  readonly reports: Readonly<Record<string, ExampleReport>>
  readonly widgets: readonly ExampleWidget[]
}

export interface ExampleReport {
  readonly name: string
  readonly meta: { readonly kind: 'vega' | 'table' | 'kpi'; readonly spec?: Record<string, unknown> }
  readonly query: object
}

export interface ExampleWidget {
  readonly id: string
  readonly type: 'CHART' | 'TEXT' | 'FILTER' | 'TIME_GRAIN'
  readonly position: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  /** Of a `CHART`: the public id of its report stands in `report`. */
  readonly config: Readonly<Record<string, unknown>> & { readonly report?: string }
}

const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h })
const departed = (granularity: string) => [{ dimension: 'flight_facts.departed_at', granularity }]
const figure = (name: string, measure: string): ExampleReport => ({
  name,
  meta: { kind: 'kpi' },
  query: { measures: [`flight_facts.${measure}`] },
})
const quantity = (measure: string, title: string, format?: string) => ({
  field: `flight_facts.${measure}`,
  type: 'quantitative',
  title,
  ...(format === undefined ? {} : { axis: { format } }),
})

/** What the flights say at a glance: how many there were, how late, where and when. */
export const flightsWorkbook: ExampleWorkbook = {
  slug: 'flights-2001',
  name: 'Flights of 2001',
  reports: {
    demoFlights1: figure('Flights', 'count'),
    demoDelayed1: figure('Share delayed', 'share_delayed'),
    demoAverage1: figure('Average delay', 'average_delay'),
    demoDistance: figure('Distance flown', 'distance_flown'),
    demoByWeek01: {
      name: 'Flights by week',
      meta: {
        kind: 'vega',
        spec: {
          mark: { type: 'line', point: true },
          encoding: {
            x: { field: 'flight_facts.departed_at.week', type: 'temporal', title: null },
            y: quantity('count', 'Flights'),
          },
        },
      },
      query: { measures: ['flight_facts.count'], timeDimensions: departed('week') },
    },
    demoLateWeek: {
      name: 'Share delayed by week',
      meta: {
        kind: 'vega',
        spec: {
          mark: { type: 'area', opacity: 0.6, line: true },
          encoding: {
            x: { field: 'flight_facts.departed_at.week', type: 'temporal', title: null },
            y: quantity('share_delayed', 'Share delayed', '.0%'),
          },
        },
      },
      query: { measures: ['flight_facts.share_delayed'], timeDimensions: departed('week') },
    },
    demoCities01: {
      name: 'Cities with most departures',
      meta: {
        kind: 'vega',
        spec: {
          mark: 'bar',
          encoding: {
            y: { field: 'flight_facts.origin_city', type: 'nominal', sort: '-x', title: null },
            x: quantity('count', 'Flights'),
          },
        },
      },
      query: {
        measures: ['flight_facts.count'],
        dimensions: ['flight_facts.origin_city'],
        order: { 'flight_facts.count': 'desc' },
        limit: 12,
      },
    },
    demoAirports: {
      name: 'Airports of departure',
      meta: { kind: 'table' },
      query: {
        measures: ['flight_facts.count', 'flight_facts.share_delayed', 'flight_facts.average_delay'],
        dimensions: ['flight_facts.origin_name', 'flight_facts.origin_state'],
        order: { 'flight_facts.count': 'desc' },
        limit: 300,
      },
    },
  },
  widgets: [
    {
      id: 'state',
      type: 'FILTER',
      position: at(0, 0, 4, 2),
      config: { member: 'flight_facts.origin_state', title: 'State of departure', multiple: true },
    },
    {
      id: 'punctuality',
      type: 'FILTER',
      position: at(4, 0, 4, 2),
      config: { member: 'flight_facts.punctuality', title: 'Punctuality', multiple: true },
    },
    {
      id: 'step',
      type: 'TIME_GRAIN',
      position: at(8, 0, 4, 2),
      config: { member: 'flight_facts.departed_at', title: 'Step', granularities: ['day', 'week', 'month'] },
    },
    { id: 'flights', type: 'CHART', position: at(0, 2, 3, 3), config: { report: 'demoFlights1' } },
    { id: 'delayed', type: 'CHART', position: at(3, 2, 3, 3), config: { report: 'demoDelayed1' } },
    { id: 'average', type: 'CHART', position: at(6, 2, 3, 3), config: { report: 'demoAverage1' } },
    { id: 'distance', type: 'CHART', position: at(9, 2, 3, 3), config: { report: 'demoDistance' } },
    { id: 'weeks', type: 'CHART', position: at(0, 5, 6, 7), config: { report: 'demoByWeek01' } },
    { id: 'late', type: 'CHART', position: at(6, 5, 6, 7), config: { report: 'demoLateWeek' } },
    { id: 'cities', type: 'CHART', position: at(0, 12, 5, 8), config: { report: 'demoCities01' } },
    { id: 'airports', type: 'CHART', position: at(5, 12, 7, 8), config: { report: 'demoAirports' } },
  ],
}
