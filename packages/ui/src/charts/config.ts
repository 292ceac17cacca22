import type { Config } from 'vega-lite'
import type { Theme } from '../theme/theme.ts'

/** Pixels that a plot is wide where neither it nor a box says so. */
export const plotWidth = 300

/** One look of all charts, as a config of Vega-Lite (vega.github.io/vega-lite/docs/config): UI.md, Charts. */
export function chartConfig({ colors, series, sequential, diverging, font }: Theme): Config {
  const text = { labelFont: font, titleFont: font, labelFontSize: 12, titleFontSize: 12 }
  return {
    background: 'transparent',
    padding: 4,
    font,
    customFormatTypes: true,
    view: { stroke: null, continuousWidth: plotWidth, continuousHeight: 200 },
    axis: {
      ...text,
      domain: false,
      ticks: false,
      grid: false,
      gridColor: colors.line,
      labelColor: colors.muted,
      labelPadding: 6,
      labelLimit: 160,
      titleColor: colors.muted,
      titleFontWeight: 600,
      titlePadding: 8,
    },
    axisY: {
      titleAngle: 0,
      titleAlign: 'left',
      titleAnchor: 'end',
      titleX: 0,
      titleY: -8,
      titleBaseline: 'bottom',
    },
    axisX: { domain: true, domainColor: colors.control, labelOverlap: true, labelSeparation: 12 },
    axisQuantitative: { tickCount: 5 },
    // Lines across lead to values: between names they would cut through the bars.
    axisYQuantitative: { grid: true },
    legend: {
      ...text,
      labelColor: colors.text,
      titleColor: colors.muted,
      titleFontWeight: 600,
      labelLimit: 180,
      tickCount: 4,
      symbolSize: 90,
      orient: 'bottom',
      direction: 'horizontal',
      gradientDirection: 'horizontal',
      columns: { signal: 'max(1, floor(width / 150))' },
    },
    header: { ...text, labelColor: colors.text, titleColor: colors.muted },
    title: { font, color: colors.text, fontSize: 14, fontWeight: 600, anchor: 'start', offset: 12 },
    mark: { color: colors.accent, tooltip: { content: 'data' } },
    bar: { cornerRadiusEnd: 2, discreteBandSize: { band: 0.8 } },
    line: { strokeWidth: 2, strokeJoin: 'round', strokeCap: 'round', point: { opacity: 0, size: 80 } },
    area: { opacity: 0.75, line: true },
    point: { filled: true, size: 50, opacity: 0.8 },
    circle: { opacity: 0.8 },
    arc: { stroke: colors.surface, strokeWidth: 1 },
    rect: { stroke: colors.surface, strokeWidth: 1 },
    rule: { color: colors.control },
    text: { color: colors.text, font, fontSize: 12 },
    geoshape: { stroke: colors.surface, strokeWidth: 0.5 },
    range: {
      category: [...series],
      ordinal: [...sequential],
      heatmap: [...sequential],
      ramp: [...sequential],
      diverging: [...diverging],
    },
  }
}

/** The same for specifications in Vega's own language, as far as it has a config for it. */
export function plainVegaConfig({ colors, series, sequential, diverging, font }: Theme) {
  const text = { labelFont: font, titleFont: font, labelColor: colors.muted, titleColor: colors.muted }
  return {
    background: 'transparent',
    axis: { ...text, gridColor: colors.line, domainColor: colors.control, tickColor: colors.control },
    legend: { ...text, labelColor: colors.text },
    title: { font, color: colors.text },
    text: { font, fill: colors.text },
    range: {
      category: [...series],
      ordinal: [...sequential],
      heatmap: [...sequential],
      ramp: [...sequential],
      diverging: [...diverging],
    },
  }
}
