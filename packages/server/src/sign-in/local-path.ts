/**
 * Where to go after signing in, if it is a place on this server: a path, nothing that a browser would read as another host.
 *
 * @returns null for everything else.
 */
export function localPath(text: string | undefined): string | null {
  if (text === undefined || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return null
  const base = 'http://here.invalid'
  if (!URL.canParse(text, base)) return null
  const url = new URL(text, base)
  return url.origin === base ? `${url.pathname}${url.search}${url.hash}` : null
}
