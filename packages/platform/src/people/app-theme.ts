import type { AppTheme, AppThemeInput, AppThemeScheme } from '@hedron/contract'

/** Neither more nor less contrast than the pages have by themselves. */
const neutralContrast = 45

const schemes = {
  light: { accentColor: '#2563eb', backgroundColor: '#ffffff', foregroundColor: '#111827' },
  dark: { accentColor: '#60a5fa', backgroundColor: '#111827', foregroundColor: '#f9fafb' },
} as const

/** Fills in what a theme left out: both colour schemes follow its palette and logo. */
export function completeTheme(given: AppThemeInput): AppTheme {
  const palette = given.palette ?? {}
  const logoUrl = given.logoUrl ?? ''
  const scheme = (name: keyof typeof schemes): AppThemeScheme => ({
    ...schemes[name],
    ...(palette.accent?.color ? { accentColor: palette.accent.color } : {}),
    contrast: palette.contrastLevel ?? neutralContrast,
    logoUrl,
  })
  return {
    palette,
    logoUrl,
    light: given.light ?? scheme('light'),
    dark: given.dark ?? scheme('dark'),
    typography: given.typography ?? null,
  }
}
