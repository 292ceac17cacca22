/**
 * The ten colours of series that Hedron's charts have on a light ground, in the order in which they are handed out: those of pages, and those
 * of charts that the service answers with (SPEC, `serviceSqlApi`). Found by search and held by `packages/ui/test/theme/palettes.test.ts`.
 */
export const seriesColorsOnLight: readonly string[] = [
  '#187c6c',
  '#f06b00',
  '#2c3bb6',
  '#4190cb',
  '#570037',
  '#87997a',
  '#935a0b',
  '#6e3972',
  '#380078',
  '#3d4501',
]
