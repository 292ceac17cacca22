/** Every scope that the data API knows (contract/behaviour/query.md section 1). `jobs` is off unless a deployment turns it on. */
export const scopeNames = ['graphql', 'meta', 'data', 'sql', 'jobs'] as const
const knownScopes: ReadonlySet<string> = new Set(scopeNames)
export const isScope = (name: string): boolean => knownScopes.has(name)

/**
 * What a token may ask. Its `scope` claim only ever takes away from what the deployment allows:
 *
 * - none: all that the deployment allows;
 * - a list: those of it, so an empty list is nothing;
 * - a text, as identity providers write it (`openid profile data`, RFC 8693 section 4.2): where it names scopes of the data API, those;
 *   where it names none it speaks of something else, and a login that worked goes on working;
 * - anything else: nothing, as nobody can tell what was meant.
 *
 * @param allowed `CUBEJS_DEFAULT_API_SCOPES`
 */
export function scopesOf(claim: unknown, allowed: ReadonlySet<string>): ReadonlySet<string> {
  if (claim === undefined || claim === null) return allowed
  if (typeof claim === 'string') {
    const named = claim.split(/\s+/).filter(word => knownScopes.has(word))
    return named.length === 0 ? allowed : within(named, allowed)
  }
  return Array.isArray(claim) ? within(claim, allowed) : new Set()
}

const within = (asked: readonly unknown[], allowed: ReadonlySet<string>) =>
  new Set([...allowed].filter(scope => asked.includes(scope)))
