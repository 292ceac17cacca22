/** Characters that end or change a part of a URL's query. The percent sign comes first, as all others become one. */
const replaced = '% &=+#?/\'"<>;:@,'

/**
 * For databases without a function of their own: one replacement inside the next. Letters of all languages stay as they are.
 *
 * @param literal writes one character
 */
export function urlEncodedWith(literal: (character: string) => string): (text: string) => string {
  return text =>
    [...replaced].reduce((encoded, character) => {
      const code = `%${codeOf(character).toString(16).toUpperCase().padStart(2, '0')}`
      return `replace(${encoded}, ${literal(character)}, '${code}')`
    }, text)
}

export const quotedCharacter = (character: string) => `'${character.replace("'", "''")}'`

/** Keeps question marks out of the text, where they could be taken for parameters, and quotes, which not all double. */
export const characterByCode = (character: string) => `CHR(${codeOf(character)})`

const codeOf = (character: string) => character.charCodeAt(0)
