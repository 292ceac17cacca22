/** Schemes that a browser runs, shows or hands to the machine itself rather than to a program that asked. */
const neverRedirectedTo: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
])

const longest = 2000

/** A program on the person's own machine, whatever port it listens on (RFC 8252 section 7.3). */
const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname))

/**
 * Whether a program may be answered there: a page over https, itself on this machine, or by a scheme of its own (RFC 8252 section 7).
 *
 * @returns undefined: it may; else what is wrong
 */
export function redirectUriProblem(text: string): string | undefined {
  if (text.length > longest || !/^[\x21-\x7e]+$/.test(text)) return 'is too long, or holds what no address holds'
  if (!URL.canParse(text)) return 'is no absolute address'
  const url = new URL(text)
  if (text.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '') return 'has a user'
  if (url.protocol === 'http:') {
    return isLoopback(url) ? undefined : 'is plain http, which is for this machine alone (localhost, 127.0.0.1, [::1])'
  }
  if (neverRedirectedTo.has(url.protocol)) return 'has a scheme that no program answers to'
  return undefined
}

/** Whether an address is the registered one: letter by letter, but for the port of a program on this machine. */
export function isRegistered(registered: string, given: string): boolean {
  if (registered === given) return true
  if (redirectUriProblem(given) !== undefined) return false
  const [a, b] = [new URL(registered), new URL(given)]
  if (!isLoopback(a) || !isLoopback(b)) return false
  return a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search
}

/** Whether an address is a program's on the person's own machine. */
export const isOnThisMachine = (text: string): boolean =>
  redirectUriProblem(text) === undefined && isLoopback(new URL(text))
