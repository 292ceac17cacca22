/** The questions that stand under an answer that says it could not be one. */
export const suggestionsIn = (text: string): string[] =>
  (text.split('You can ask, for example:\n')[1] ?? '').split('\n').flatMap(line => /^- (.+)$/.exec(line)?.[1] ?? [])
