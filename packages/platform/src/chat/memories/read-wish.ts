/** What an asker wants of the agent's memory. */
export type Wish =
  | { readonly kind: 'keep'; readonly text: string }
  | { readonly kind: 'list' }
  /** Null: all of it. */
  | { readonly kind: 'forget'; readonly text: string | null }

const politely = String.raw`^\s*(?:please[,\s]+|can you\s+|could you\s+)?`
const keeping = new RegExp(String.raw`${politely}remember(?:\s+that\b|\s*:|\s+this\s*:)\s*(\S[\s\S]*)$`, 'i')
const listing = new RegExp(
  String.raw`${politely}(?:what do you remember(?: about me| for me)?|(?:list|show)(?: me)?(?: all)?(?: your| my| the)? memories)[\s?.!]*$`,
  'i',
)
const forgettingAll = new RegExp(String.raw`${politely}forget (?:everything|all|all of it|all memories)[\s.!]*$`, 'i')
const forgetting = new RegExp(String.raw`${politely}forget(?:\s+that\b|\s*:)\s*(\S[\s\S]*)$`, 'i')

/** Reads a message that is about the agent's memory and nothing else; null: it is a question. */
export function readWish(input: string): Wish | null {
  if (listing.test(input)) return { kind: 'list' }
  if (forgettingAll.test(input)) return { kind: 'forget', text: null }
  const kept = keeping.exec(input)?.[1]
  if (kept !== undefined) return { kind: 'keep', text: tidy(kept) }
  const lost = forgetting.exec(input)?.[1]
  return lost === undefined ? null : { kind: 'forget', text: tidy(lost) }
}

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim().replace(/\.$/, '')
