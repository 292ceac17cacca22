import './font.css'
import './theme.css'
import type { AppTheme } from '@hedron/contract'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Color } from './color.ts'
import { resolveTheme, type Scheme, type SessionTheme, type Theme, type ThemeFont, themeVariables } from './theme.ts'

const ThemeContext = createContext<Theme>(resolveTheme({ scheme: 'light' }))

/**
 * The look of everything inside: the account's theme and the session's, in light, dark, or as the viewer's system has it. It fills
 * the page's background where `isPage`.
 */
export function ThemeRoot(props: {
  readonly scheme: Scheme | 'auto'
  readonly app?: AppTheme | null | undefined
  readonly session?: SessionTheme | null | undefined
  readonly isPage?: boolean
  readonly children: ReactNode
}) {
  const { app, session, isPage = false, children } = props
  const system = useSystemScheme()
  const scheme = props.scheme === 'auto' ? system : props.scheme
  const theme = useMemo(() => resolveTheme({ scheme, app, session, readColor }), [scheme, app, session])
  useFonts(theme.fonts)
  useEffect(() => {
    if (!isPage) return
    document.documentElement.style.background = theme.colors.background
    document.documentElement.style.colorScheme = theme.scheme
  }, [isPage, theme])
  return (
    <ThemeContext value={theme}>
      <div className="hd-root" data-scheme={scheme} style={{ ...themeVariables(theme), colorScheme: scheme }}>
        {children}
      </div>
    </ThemeContext>
  )
}

export function useTheme(): Theme {
  return useContext(ThemeContext)
}

function useSystemScheme(): Scheme {
  const query = useMemo(() => window.matchMedia('(prefers-color-scheme: dark)'), [])
  const [isDark, setDark] = useState(query.matches)
  useEffect(() => {
    const follow = () => setDark(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [query])
  return isDark ? 'dark' : 'light'
}

/** What the browser knows as a colour, names and newer functions among it: painted on one pixel and read back. */
function readColor(text: string): Color | null {
  if (!CSS.supports('color', text) || /^(?:inherit|initial|unset|revert|currentcolor)/i.test(text.trim())) return null
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d')
  if (!context) return null
  context.fillStyle = text
  context.fillRect(0, 0, 1, 1)
  const [r = 0, g = 0, b = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data
  return { r, g, b, a: alpha / 255 }
}

/** Loads the account's fonts; where one does not come, the next of the stack stands in. */
function useFonts(fonts: readonly ThemeFont[]) {
  useEffect(() => {
    const faces = fonts.map(({ family, url, format }) => {
      const face = new FontFace(family, `url(${JSON.stringify(url)}) format(${JSON.stringify(format)})`, {
        display: 'swap',
      })
      document.fonts.add(face)
      face.load().catch(() => document.fonts.delete(face))
      return face
    })
    return () => {
      for (const face of faces) document.fonts.delete(face)
    }
  }, [fonts])
}
