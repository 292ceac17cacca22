import * as z from 'zod'
import { cssColorNames } from './css-color-names.ts'

/** An absolute http or https URL. It is never fetched here; browsers do. */
export const HttpUrl = z
  .string()
  .trim()
  .max(2048)
  .refine(text => isUrl(text, ['http:', 'https:']), 'must be an absolute URL that begins with http:// or https://')

/** An absolute https URL: what frames on https pages may load. It is never fetched here. */
export const HttpsUrl = z
  .string()
  .trim()
  .max(2048)
  .refine(text => isUrl(text, ['https:']), 'must be an absolute URL that begins with https://')

/** An origin (RFC 6454): scheme, host and port, as browsers write it; `https://*.example.com` is every host below one. */
export const Origin = z
  .string()
  .trim()
  .max(255)
  .refine(
    isOrigin,
    'must be an origin such as https://app.example.com, without a path; https://*.example.com is any host below',
  )

/** A BCP 47 language tag, such as `de-DE`. */
export const Locale = z.string().trim().max(35).refine(isLocale, 'must be a language tag such as en-US (BCP 47)')

/** A name of the IANA time zone database, such as `Europe/Berlin`. A bare offset is none. */
export const TimeZone = z
  .string()
  .trim()
  .max(64)
  .refine(isTimeZone, 'must be a time zone name such as Europe/Berlin (IANA); an offset is none')

/** A CSS colour: hexadecimal, a name, or one of the colour functions with plain numbers. */
export const CssColor = z
  .string()
  .trim()
  .max(100)
  .refine(isCssColor, 'must be a CSS colour such as #3366ff, teal or rgb(51 102 255)')

function isUrl(text: string, protocols: readonly string[]): boolean {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol) && /^https?:\/\/[^\s/]/i.test(text) && !/[\s<>"]/.test(text)
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text.replace(/^(https?:\/\/)\*\./, '$1'))
  const isHost = url !== null && /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i.test(url.hostname)
  return isHost && /^https?:$/.test(url.protocol) && url.origin === text.replace('*.', '')
}

export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function isCssColor(text: string): boolean {
  if (/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) return true
  if (
    /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\((?:\s*(?:-?[\d.]+(?:%|deg|rad|turn|grad)?|none)\s*[,/]?){3,4}\)$/i.test(
      text,
    )
  )
    return true
  return cssColorNames.has(text.toLowerCase())
}
