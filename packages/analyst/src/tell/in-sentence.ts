/** A title within a sentence. Where each word of it is capital, as in titles made of names, none stays so but acronyms. */
export function lower(text: string): string {
  const words = text.split(' ')
  const isCapital = words.length > 1 && words.every(word => /^[A-Z]/.test(word))
  return words
    .map((word, index) =>
      (isCapital || index === 0) && /^[A-Z][a-z]/.test(word) ? word.charAt(0).toLowerCase() + word.slice(1) : word,
    )
    .join(' ')
}

/** `is` or `are`, as a title is one or many. */
export const verb = (title: string) => (/s$/i.test(title) && !/(ss|us|is)$/i.test(title) ? 'are' : 'is')
