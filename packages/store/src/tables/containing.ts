/** A pattern of `like` for texts that hold this one; none of its characters is a wildcard. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, character => `\\${character}`)}%`
