/** What PostgreSQL keeps of an identifier; others keep more. */
const lengthLimit = 63

/** Gives out names that differ from each other, ignoring case. */
export interface Aliases {
  take(wanted: string): string
}

export const createAliases = (): Aliases => new TakenAliases()

class TakenAliases implements Aliases {
  readonly #taken = new Set<string>()

  take(wanted: string): string {
    const taken = this.#taken
    const short = shorten(wanted)
    let alias = short
    let lower = alias.toLowerCase()
    for (let count = 2; taken.has(lower); count++) {
      alias = `${short.slice(0, lengthLimit - 8)}_${count}`
      lower = alias.toLowerCase()
    }
    taken.add(lower)
    return alias
  }
}

/** `orderItems` and `OrderItems` become `order_items`, as clients of the field expect aliases to look. */
export function snakeCase(name: string): string {
  if (!/[A-Z]/.test(name)) return name
  return name
    .replace(/([A-Z\d]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
}

/** Long names keep their beginning, and end in a digest of the whole. */
function shorten(name: string): string {
  if (name.length <= lengthLimit) return name
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0
  return `${name.slice(0, lengthLimit - 9)}_${hash.toString(16).padStart(8, '0')}`
}
