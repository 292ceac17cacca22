/** Where a dashboard leads to, inside the same page: its session lives in memory, so nothing is loaded anew. */
export interface WaysOut {
  /** To a place of the app, such as `/workbook/12`; undefined where whoever looks makes nothing. */
  readonly goToApp?: ((place: string) => void) | undefined
  readonly goBack?: (() => void) | undefined
}
