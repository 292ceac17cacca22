import * as z from 'zod'
import { checkDashboardConfig, limits } from './dashboard-rules.ts'
import { DashboardTheme } from './dashboard-theme.ts'

export const widgetTypes = [
  'CHART',
  'TEXT',
  'FILTER',
  'AI',
  'TIME_GRAIN',
  'FIELD',
  'PARENT',
  'SPACER',
  'DIVIDER',
  'CONTAINER',
] as const
const WidgetType = z.enum(widgetTypes)
const ConfigKind = z.enum(['CLASSIC', 'APP'])
/** Free to clients: it comes back as it was sent. */
const Free = z.record(z.string(), z.unknown())

/** Columns from the left and rows from the top of the grid, and how many of each. */
const Place = { x: z.int(), y: z.int(), w: z.int(), h: z.int() }
const Position = z.object(Place).meta({ id: 'DashboardWidgetPosition' })
const PositionInput = z
  .strictObject({
    x: z.int().min(0).max(limits.columns),
    y: z.int().min(0).max(limits.rows),
    w: z.int().min(1).max(limits.columns),
    h: z.int().min(1).max(limits.rows),
  })
  .meta({ id: 'DashboardWidgetPositionInput' })

const perBreakpoint = <T extends z.ZodType>(value: T) => ({
  lg: value.nullish(),
  md: value.nullish(),
  sm: value.nullish(),
  xs: value.nullish(),
  xxs: value.nullish(),
})
const Cells = z.array(z.int()).max(4)
const CellsInput = z.array(z.int().min(0).max(1000)).max(4)

const Layout = z
  .object({
    breakpoints: z.object(perBreakpoint(z.int())).meta({ id: 'DashboardBreakpoints' }).nullish(),
    cols: z.object(perBreakpoint(z.int())).meta({ id: 'DashboardBreakpointCols' }).nullish(),
    containerPadding: Cells.nullish(),
    margin: Cells.nullish(),
    rowHeight: z.int().nullish(),
  })
  .meta({ id: 'DashboardLayout' })

const Columns = z.int().min(1).max(limits.columns)
const LayoutInput = z
  .strictObject({
    breakpoints: z
      .strictObject(perBreakpoint(z.int().min(0).max(100_000)))
      .meta({ id: 'DashboardBreakpointsInput' })
      .nullish(),
    cols: z.strictObject(perBreakpoint(Columns)).meta({ id: 'DashboardBreakpointColsInput' }).nullish(),
    containerPadding: CellsInput.nullish(),
    margin: CellsInput.nullish(),
    rowHeight: z.int().min(1).max(10_000).nullish(),
  })
  .meta({ id: 'DashboardLayoutInput' })

const Files = z.record(z.string().max(limits.path), z.string())
const manifest = {
  dependencies: z.record(z.string(), z.string()).nullish(),
  version: z.int().nullish(),
}
const source = { entry: z.string().max(limits.path).nullish(), files: Files.nullish(), html: z.string().nullish() }
const AppSource = z
  .object({ ...source, manifest: z.object(manifest).meta({ id: 'DashboardAppManifest' }).nullish() })
  .meta({ id: 'DashboardAppSource' })
const AppSourceInput = z
  .strictObject({
    ...source,
    manifest: z.strictObject(manifest).meta({ id: 'DashboardAppManifestInput' }).nullish(),
  })
  .meta({ id: 'DashboardAppSourceInput' })

export const DashboardWidget = z
  .object({
    id: z.string(),
    type: WidgetType,
    position: Position,
    responsiveLayouts: z.object(perBreakpoint(Position)).meta({ id: 'DashboardResponsiveLayouts' }).nullish(),
    config: Free.nullish(),
    style: Free.nullish(),
  })
  .meta({ id: 'DashboardWidget' })
export type DashboardWidget = z.infer<typeof DashboardWidget>

export const DashboardConfig = z
  .object({
    kind: ConfigKind.nullish(),
    title: z.string().nullish(),
    description: z.string().nullish(),
    layout: Layout.nullish(),
    settings: Free.nullish(),
    theme: Free.nullish(),
    app: AppSource.nullish(),
    widgets: z.array(DashboardWidget).nullish(),
  })
  .meta({ id: 'DashboardConfig' })
export type DashboardConfig = z.infer<typeof DashboardConfig>

const WidgetId = z.string().min(1).max(limits.widgetId)
const widget = {
  type: WidgetType,
  position: PositionInput,
  responsiveLayouts: z
    .strictObject(perBreakpoint(PositionInput))
    .meta({ id: 'DashboardResponsiveLayoutsInput' })
    .nullish(),
  config: Free.nullish(),
  style: Free.nullish(),
}
const config = {
  kind: ConfigKind.nullish(),
  title: z.string().max(limits.title).nullish(),
  description: z.string().max(limits.description).nullish(),
  layout: LayoutInput.nullish(),
  settings: Free.nullish(),
  theme: DashboardTheme.nullish(),
  app: AppSourceInput.nullish(),
}

/** A dashboard to publish. */
export const DashboardConfigInput = z
  .strictObject({
    ...config,
    widgets: z
      .array(z.strictObject({ id: WidgetId, ...widget }).meta({ id: 'DashboardWidgetInput' }))
      .max(limits.widgets)
      .nullish(),
  })
  .superRefine(checkDashboardConfig)
  .meta({ id: 'DashboardConfigInput' })

/** A dashboard that is being worked on; widgets without an id are given one. */
export const DashboardConfigDraftInput = z
  .strictObject({
    ...config,
    widgets: z
      .array(z.strictObject({ id: WidgetId.nullish(), ...widget }).meta({ id: 'DashboardWidgetDraftInput' }))
      .max(limits.widgets)
      .nullish(),
  })
  .superRefine(checkDashboardConfig)
  .meta({ id: 'DashboardConfigDraftInput' })
export type DashboardConfigDraftInput = z.infer<typeof DashboardConfigDraftInput>
