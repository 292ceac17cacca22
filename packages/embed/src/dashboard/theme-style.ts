import { recordOf } from './model/widgets.ts'

/** What the theme of a dashboard sets (contract/behaviour/embed.md section 8), as variables of its style sheet; values were checked when they were stored. */
export function themeStyle(theme: unknown): Record<string, string> {
  const own = recordOf(theme)
  const dashboard = recordOf(own.dashboard)
  const widgets = recordOf(own.widgets)
  const border = recordOf(widgets.border)
  const title = recordOf(widgets.title)
  const text = recordOf(widgets.text)
  const set: [string, unknown][] = [
    ['--board-background', dashboard.backgroundColor ?? own.backgroundColor],
    ['--board-padding', dashboard.padding],
    ['--board-font', own.fontFamily],
    ['--hd-accent', own.primaryColor],
    ['--widget-background', widgets.backgroundColor],
    ['--widget-padding', widgets.padding],
    ['--widget-color', text.color],
    ['--widget-radius', border.radius],
    ['--widget-title-color', title.color],
  ]
  const { color, style, width } = border
  if (color ?? style ?? width)
    set.push(['--widget-border', `${width ?? '1px'} ${style ?? 'solid'} ${color ?? 'var(--hd-line)'}`])
  const { fontFamily, fontSize, fontWeight } = title
  if (fontFamily ?? fontSize ?? fontWeight) {
    set.push(['--widget-title-font', `${fontWeight ?? 600} ${fontSize ?? '14px'} / 1.4 ${fontFamily ?? 'inherit'}`])
  }
  return Object.fromEntries(
    set.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  )
}
