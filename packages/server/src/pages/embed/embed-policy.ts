/**
 * The content security policy of an embedded page. No script but the built files, none from text; styles may stand in elements, since charts
 * and themes are made of values; pictures of people come from wherever the host has them, as fonts of a theme do.
 *
 * @param frameAncestors origins of the sites that may show the page; null: any.
 * @param dataOrigin origin of the data API, where it is another one than the page's.
 */
export function embedPolicy(frameAncestors: readonly string[] | null, dataOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: data: blob:",
    "font-src 'self' https: data:",
    `connect-src 'self' ${dataOrigin}`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    `frame-ancestors ${ancestors(frameAncestors)}`,
  ].join('; ')
}

/** The platform's own pages may always show one: its console does. */
const ancestors = (origins: readonly string[] | null): string =>
  origins === null ? '*' : ["'self'", ...origins].join(' ')
