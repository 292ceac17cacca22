import * as z from 'zod'

export const ReportKind = z.enum(['vega', 'table', 'kpi', 'html', 'map', 'sankey']).meta({ id: 'ReportKind' })
export type ReportKind = z.infer<typeof ReportKind>

export const ColumnFormatOverride = z
  .looseObject({
    type: z.enum(['currency', 'percent', 'number']),
    decimalPlaces: z.int().min(0).max(20).nullish(),
  })
  .meta({ id: 'ColumnFormatOverride' })

export const ReportPreferences = z
  .looseObject({ columnFormats: z.record(z.string(), ColumnFormatOverride).nullish() })
  .meta({ id: 'ReportPreferences', description: 'How a report is shown.' })

export const PeriodComparison = z
  .looseObject({
    measure: z.string().max(1024),
    timeDimension: z.string().max(1024),
    offset: z.looseObject({ amount: z.int(), unit: z.string().max(64) }).meta({ id: 'PeriodComparisonOffset' }),
    outputs: z.array(z.string().max(64)).max(16).nullish(),
  })
  .meta({ id: 'PeriodComparison' })

export const FillMissingRows = z
  .looseObject({
    member: z.string().max(1024),
    excludedDimensions: z.array(z.string().max(1024)).max(1000).nullish(),
  })
  .meta({ id: 'FillMissingRows' })

/** What a report is shown as: chart, table, number or page. Clients of the field keep more in it, which stays as it came. */
export const ReportMeta = z
  .looseObject({
    kind: ReportKind.nullish(),
    spec: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .nullish()
      .meta({ description: 'The Vega-Lite of a chart, also as JSON text; the HTML of a report of kind html.' }),
    preferences: ReportPreferences.nullish(),
    periodComparisons: z.array(PeriodComparison).max(100).nullish(),
    fillMissingRows: FillMissingRows.nullish(),
    pythonCode: z.string().max(200_000).nullish(),
  })
  .meta({ id: 'ReportMeta' })
export type ReportMeta = z.infer<typeof ReportMeta>
