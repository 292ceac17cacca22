import type { AppTheme, EmbedTheme } from '@hedron/contract'
import { type Color, contrast, isDark, mix, parseColor, toHex, withContrast } from './color.ts'
import { diverging, sequential, seriesColors } from './palettes.ts'

export type Scheme = 'light' | 'dark'

/** Colours by what they are for. Each pair that text or a control is shown in has the contrast of WCAG 2.2 AA. */
export interface ThemeColors {
  /** The page. */
  readonly background: string
  /** What lies on the page: widgets, tables, dialogs. */
  readonly surface: string
  /** Under the pointer, chosen rows, headers of tables. */
  readonly soft: string
  readonly text: string
  readonly muted: string
  /** Between things; decoration only. */
  readonly line: string
  /** Around what can be operated. */
  readonly control: string
  readonly accent: string
  /** Text on the accent. */
  readonly onAccent: string
  /** Links and accents that are text, on page and surface. */
  readonly accentText: string
  readonly accentSoft: string
  readonly warning: string
  readonly danger: string
  readonly success: string
}

/** A font that the account ships; `url` is HTTPS. */
export interface ThemeFont {
  readonly family: string
  readonly url: string
  readonly format: string
}

export interface Theme {
  readonly scheme: Scheme
  readonly colors: ThemeColors
  /** Of series, in the order in which they are handed out. */
  readonly series: readonly string[]
  /** From little to much. */
  readonly sequential: readonly string[]
  /** From below to above a middle. */
  readonly diverging: readonly string[]
  readonly font: string
  readonly headingFont: string
  readonly monoFont: string
  readonly bodyWeight: number
  readonly headingWeight: number
  /** Pixels. */
  readonly radius: number
  readonly fonts: readonly ThemeFont[]
  readonly logoUrl: string | undefined
  readonly chat: { readonly background: string; readonly input: string; readonly inputBorder: string }
}

/** `borderRadius` is what hosts may send in `set-theme` beside the look of the session (contract/behaviour/embed.md, section 8). */
export type SessionTheme = EmbedTheme & { readonly borderRadius?: string | number | null }

export interface ThemeWishes {
  readonly scheme: Scheme
  /** Of the account. */
  readonly app?: AppTheme | null | undefined
  /** Of the session, or what the host sent since. */
  readonly session?: SessionTheme | null | undefined
  /** Reads what `parseColor` does not, such as names of colours: the browser's business. */
  readonly readColor?: (text: string) => Color | null
}

const sans = "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', sans-serif"
const mono = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace"

const defaults = {
  light: { background: '#f6f7f7', surface: '#ffffff', text: '#16191b', accent: '#0f766e' },
  dark: { background: '#0f1214', surface: '#171b1e', text: '#eceff1', accent: '#2dd4bf' },
} as const
const signals = {
  light: { warning: '#b45309', danger: '#b91c1c', success: '#15803d' },
  dark: { warning: '#fbbf24', danger: '#f87171', success: '#4ade80' },
} as const

/** The account's `contrast` is neutral here (contract/behaviour/embed.md, section 8). */
const neutralContrast = 45

/**
 * One look out of what account and session wish, over Hedron's own. Wishes that cannot be read are passed over; colours that could
 * not be told from what they stand on are brought to the contrast that reading needs.
 */
export function resolveTheme({ scheme, app, session, readColor = parseColor }: ThemeWishes): Theme {
  const read = (text: string | null | undefined) => (text ? (parseColor(text) ?? readColor(text)) : null)
  const own = app?.[scheme]
  const background = read(own?.backgroundColor) ?? known(defaults[scheme].background)
  const wishesBackground = own !== undefined && own.backgroundColor.toLowerCase() !== '#ffffff'
  const surface = surfaceOn(background, scheme, wishesBackground)
  const text = withContrast(read(own?.foregroundColor) ?? known(defaults[scheme].text), surface, 7)
  const accent = withContrast(
    read(session?.primaryColor) ?? read(own?.accentColor) ?? known(defaults[scheme].accent),
    surface,
    3,
  )
  const strength = (own?.contrast ?? neutralContrast) / neutralContrast
  const step = (share: number) => mix(surface, text, Math.min(0.6, share * (0.5 + strength / 2)))
  // On the darker of the grounds that text stands on, so that it passes on all of them.
  const soft = step(0.045)
  const readable = (color: Color) =>
    withContrast(withContrast(withContrast(color, surface, 4.5), background, 4.5), soft, 4.5)
  const signal = (color: string) => toHex(readable(known(color)))
  const body = app?.typography
  const chat = session?.analyticsChat
  return {
    scheme,
    colors: {
      background: toHex(background),
      surface: toHex(surface),
      soft: toHex(soft),
      text: toHex(text),
      muted: toHex(readable(mix(surface, text, 0.6))),
      line: toHex(step(0.11)),
      control: toHex(withContrast(step(0.4), surface, 3)),
      accent: toHex(accent),
      onAccent: toHex(bestOn(accent)),
      accentText: toHex(readable(accent)),
      accentSoft: toHex(mix(surface, accent, 0.1)),
      warning: signal(signals[scheme].warning),
      danger: signal(signals[scheme].danger),
      success: signal(signals[scheme].success),
    },
    series: seriesColors(isDark(surface)),
    sequential: sequential(accent, surface),
    diverging: diverging(surface),
    font: fontStack(session?.font ?? familyOf(body?.body.fontRef, app)),
    headingFont: fontStack(session?.font ?? familyOf(body?.heading.fontRef, app)),
    monoFont: mono,
    bodyWeight: body?.body.fontWeight ?? 400,
    headingWeight: body?.heading.fontWeight ?? 600,
    radius: radiusOf(session) ?? 6,
    fonts: (body?.fonts ?? []).map(({ id, family, name, url, format }) => ({
      family: family ?? name ?? id,
      url,
      format,
    })),
    logoUrl: own?.logoUrl || app?.logoUrl || undefined,
    chat: {
      background: toHex(read(chat?.backgroundColor) ?? background),
      input: toHex(read(chat?.chatInput?.backgroundColor) ?? read(session?.chat?.inputColor) ?? surface),
      inputBorder: toHex(read(chat?.chatInput?.borderColor) ?? withContrast(step(0.4), surface, 3)),
    },
  }
}

/** The style sheet's variables of a theme; style sheets of components use nothing else. */
export function themeVariables(theme: Theme): Readonly<Record<`--hd-${string}`, string>> {
  const { colors, chat } = theme
  const variables: Record<`--hd-${string}`, string> = {
    '--hd-font': theme.font,
    '--hd-font-heading': theme.headingFont,
    '--hd-font-mono': theme.monoFont,
    '--hd-weight': String(theme.bodyWeight),
    '--hd-weight-heading': String(theme.headingWeight),
    '--hd-radius': `${theme.radius}px`,
    '--hd-shadow': theme.scheme === 'dark' ? '0 8px 24px rgb(0 0 0 / 50%)' : '0 8px 24px rgb(15 23 42 / 14%)',
    '--hd-chat-background': chat.background,
    '--hd-chat-input': chat.input,
    '--hd-chat-input-border': chat.inputBorder,
  }
  for (const [name, value] of Object.entries(colors)) {
    variables[`--hd-${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`] = value
  }
  return variables
}

/** Where the account wishes a page of its own colour, what lies on it is a little nearer to the light. */
function surfaceOn(background: Color, scheme: Scheme, isOwn: boolean): Color {
  if (!isOwn) return known(defaults[scheme].surface)
  const white: Color = { r: 255, g: 255, b: 255, a: 1 }
  return mix(background, white, isDark(background) ? 0.04 : 0.6)
}

function bestOn(accent: Color): Color {
  const [white, black] = [known('#ffffff'), known('#0b0d0e')]
  return contrast(white, accent) >= 4.5 || contrast(white, accent) > contrast(black, accent) ? white : black
}

function known(hex: string): Color {
  const color = parseColor(hex)
  if (!color) throw new Error(`${hex} is not a colour.`)
  return color
}

function familyOf(ref: string | undefined, app: AppTheme | null | undefined): string | undefined {
  const font = app?.typography?.fonts.find(({ id, name, family }) => id === ref || name === ref || family === ref)
  return font?.family ?? font?.name ?? font?.id ?? ref
}

/** Family names alone: a value of a style sheet that could do more is passed over. */
function fontStack(family: string | null | undefined): string {
  if (!family || !/^[\p{L}\p{N} ,'"_-]{1,200}$/u.test(family)) return sans
  const isList = /[,'"]/.test(family)
  return isList ? `${family}, ${sans}` : `'${family}', ${sans}`
}

function radiusOf(session: SessionTheme | null | undefined): number | undefined {
  const wish = session?.borderRadius
  const pixels =
    typeof wish === 'number'
      ? wish
      : typeof wish === 'string'
        ? Number(/^(\d{1,2}(?:\.\d+)?)(?:px)?$/.exec(wish)?.[1])
        : Number.NaN
  return Number.isFinite(pixels) ? Math.min(24, Math.max(0, pixels)) : undefined
}
