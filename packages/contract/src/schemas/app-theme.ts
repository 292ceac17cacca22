import * as z from 'zod'
import { CssColor, HttpsUrl } from './checked-text.ts'

const Text = z.string().trim().min(1).max(255)
const Percentage = z.number().min(0).max(100)

const PaletteSeed = z
  .strictObject({
    color: CssColor.nullish(),
    hue: z.number().min(0).max(360).nullish(),
    saturation: Percentage.nullish(),
  })
  .meta({ id: 'AppThemePaletteSeed' })

const PaletteThemes = z
  .strictObject({
    danger: PaletteSeed.nullish(),
    warning: PaletteSeed.nullish(),
    success: PaletteSeed.nullish(),
    note: PaletteSeed.nullish(),
    code: z.strictObject({ saturation: Percentage.nullish() }).meta({ id: 'AppThemeCodePalette' }).nullish(),
  })
  .meta({ id: 'AppThemePaletteThemes' })

export const AppThemePalette = z
  .strictObject({
    base: PaletteSeed.nullish(),
    accent: PaletteSeed.nullish(),
    contrastLevel: Percentage.nullish(),
    pastel: z.boolean().nullish(),
    surfaceMode: z.enum(['neutral', 'tinted']).meta({ id: 'AppThemeSurfaceMode' }).nullish(),
    themes: PaletteThemes.nullish(),
  })
  .meta({ id: 'AppThemePalette' })

const FontRef = z
  .strictObject({ fontRef: Text, fontWeight: z.number().min(1).max(1000) })
  .meta({ id: 'AppThemeFontRef' })

const Font = z
  .strictObject({
    id: Text,
    url: HttpsUrl,
    format: z.enum(['woff2', 'woff', 'truetype', 'opentype']),
    family: Text.nullish(),
    name: Text.nullish(),
  })
  .meta({ id: 'ThemeFont' })

const Typography = z
  .strictObject({ fonts: z.array(Font).max(20), body: FontRef, heading: FontRef })
  .meta({ id: 'AppThemeTypography' })

/** Empty where there is none. */
const Logo = z.union([HttpsUrl, z.literal('')])

const Scheme = z
  .strictObject({
    accentColor: CssColor,
    backgroundColor: CssColor,
    foregroundColor: CssColor,
    contrast: Percentage,
    logoUrl: Logo,
  })
  .meta({ id: 'AppThemeScheme' })
export type AppThemeScheme = z.infer<typeof Scheme>

/** The look of the account as it is read: both colour schemes are filled in from the palette where they were not given. */
export const AppTheme = z
  .object({
    palette: AppThemePalette,
    logoUrl: Logo,
    light: Scheme.meta({ deprecated: true }),
    dark: Scheme.meta({ deprecated: true }),
    typography: Typography.nullish(),
  })
  .meta({ id: 'AppTheme' })
export type AppTheme = z.infer<typeof AppTheme>

export const AppThemeInput = z
  .strictObject({
    palette: AppThemePalette.nullish(),
    logoUrl: Logo.nullish(),
    light: Scheme.nullish(),
    dark: Scheme.nullish(),
    typography: Typography.nullish(),
  })
  .meta({ id: 'AppThemeInput' })
export type AppThemeInput = z.infer<typeof AppThemeInput>
