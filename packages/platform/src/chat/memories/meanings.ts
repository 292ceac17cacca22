import type { Memory } from './memories.ts'

const meaning =
  /^(?:by\s+)?["“']?([\p{L}\p{N}][^"“”']{0,60}?)["”']?\s+(?:means|is short for|stands for|is another word for)\s+["“']?([^"“”']{1,100}?)["”']?$/iu

/**
 * A question in the words of the model, where an asker told what his own mean: “remember that heads means companies helped”. The newest
 * meaning of a word holds.
 */
export function inKnownWords(
  question: string,
  memories: readonly Memory[],
): { readonly question: string; readonly notes: readonly string[] } {
  let words = question
  const notes: string[] = []
  const taken = new Set<string>()
  for (const { text } of memories) {
    const [, said = '', meant = ''] = meaning.exec(text) ?? []
    const key = said.toLowerCase()
    if (said === '' || taken.has(key)) continue
    taken.add(key)
    const escaped = said.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'giu')
    if (!pattern.test(words)) continue
    words = words.replace(pattern, () => meant)
    notes.push(`I took “${said}” as ${meant}, as I was asked to remember.`)
  }
  return { question: words, notes }
}
