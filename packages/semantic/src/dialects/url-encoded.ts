/** Characters that end or change a part of a URL's query. The percent sign comes first, as all others become one. */
const replaced = '% &=+#?/\'"<>;:@,'

/** For databases without a function of their own: one replacement inside the next. Letters of all languages stay as they are. */
export const urlEncoded = (text: string): string =>
  [...replaced].reduce((encoded, character) => {
    const code = `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
    return `replace(${encoded}, '${character.replace("'", "''")}', '${code}')`
  }, text)
