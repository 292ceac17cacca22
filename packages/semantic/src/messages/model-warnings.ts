/** What an author should know of a model that works all the same, by code. Each sentence ends in what to do. */
const table = {
  deprecated: ({ what, instead }: { what: string; instead: string }) =>
    `${what} is deprecated and still works. ${instead}`,
  no_effect: ({ what }: { what: string }) => `${what} is read and changes nothing. Remove it.`,
  needs_companion: ({ key, of, without }: { key: string; of: string; without: string }) =>
    `'${key}' of ${of} has no effect without ${without}. Add that or remove it.`,
}

type Table = typeof table
export type WarningCode = keyof Table
type AllDetails = { [C in WarningCode]: Parameters<Table[C]>[0] }
export type WarningDetails<C extends WarningCode> = AllDetails[C]

/** Every code, for the tests that prove each of them. */
export const warningCodes: readonly string[] = Object.keys(table)
const messages: { [C in WarningCode]: (details: AllDetails[C]) => string } = table

export const warningMessage = <C extends WarningCode>(code: C, details: WarningDetails<C>): string =>
  messages[code](details)
