import * as z from 'zod'

/**
 * A value of a style sheet. What could end the declaration that it is put into, or load something from elsewhere, is refused
 * where it is written: themes are shown to others than their author.
 */
const Css = z
  .string()
  .max(200)
  .regex(/^[^;{}<>\\@]*$/, 'must be one value of a style sheet, without ; { } < > \\ and @')
  .refine(value => !/(?:url|image|image-set|cross-fade|element|src|expression)\s*\(|\/\*/i.test(value), {
    message: 'must not load anything, as url() does, and must not hold a comment',
  })
const Value = Css.nullish()

const border = { color: Value, radius: Value, style: Value, width: Value }
const title = { color: Value, fontFamily: Value, fontSize: Value, fontWeight: Value }

const Controls = z
  .strictObject({
    backgroundColor: Value,
    border: z.strictObject(border).meta({ id: 'ControlThemeBorderSectionInput' }).nullish(),
    padding: Value,
    title: z.strictObject(title).meta({ id: 'ControlThemeTitleSectionInput' }).nullish(),
  })
  .meta({ id: 'ControlThemeSectionInput' })

const Widgets = z
  .strictObject({
    backgroundColor: Value,
    border: z.strictObject(border).meta({ id: 'WidgetThemeBorderSectionInput' }).nullish(),
    margin: Value,
    padding: Value,
    text: z
      .strictObject({ codeFontFamily: Value, color: Value, fontFamily: Value, secondaryColor: Value })
      .meta({ id: 'WidgetThemeTextSectionInput' })
      .nullish(),
    title: z.strictObject(title).meta({ id: 'WidgetThemeTitleSectionInput' }).nullish(),
  })
  .meta({ id: 'WidgetThemeSectionInput' })

/** How one dashboard looks. */
export const DashboardTheme = z
  .strictObject({
    themeId: z.string().max(200).nullish(),
    backgroundColor: Value,
    primaryColor: Value,
    fontFamily: Value,
    dashboard: z
      .strictObject({ backgroundColor: Value, padding: Value })
      .meta({ id: 'DashboardThemeSectionInput' })
      .nullish(),
    controls: Controls.nullish(),
    widgets: Widgets.nullish(),
  })
  .meta({ id: 'DashboardThemeInput' })
