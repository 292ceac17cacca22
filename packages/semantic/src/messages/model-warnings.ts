import { agentWarnings } from './agent-messages.ts'
import { codeWarnings } from './code-warnings.ts'

/** What an author should know of a model that works all the same, by code. Each sentence ends in what to do. */
const table = {
  ...codeWarnings,
  ...agentWarnings,
  deprecated: ({ what, instead }: { what: string; instead: string }) =>
    `${what} is deprecated and still works. ${instead}`,
  security_context: ({ of }: { of: string }) =>
    `SECURITY_CONTEXT in ${of} is deprecated and still works. Use access policies, which hold for every query and are checked.`,
  text_braces: ({ braces, what }: { braces: string; what: string }) =>
    `${braces} in ${what} stays as it is written: references are for SQL. Write \\{ and \\} for braces that are meant.`,
  column_braces: ({
    braces,
    of,
    column,
    isLambda,
  }: {
    braces: string
    of: string
    column: string
    isLambda: boolean
  }) =>
    isLambda
      ? `${braces} in FILTER_PARAMS of ${of} stays as it is written, because the string of the lambda is no f-string. Write f'${column}'.`
      : `${braces} in FILTER_PARAMS of ${of} stays as it is written, because the string is no f-string. Write f'${column}' where a reference is meant, or the column's own name.`,
  no_effect: ({ what }: { what: string }) => `${what} is read and changes nothing. Remove it.`,
  needs_companion: ({ key, of, without }: { key: string; of: string; without: string }) =>
    `'${key}' of ${of} has no effect without ${without}. Add that or remove it.`,
  join_ambiguous: ({ from, to, paths }: { from: string; to: string; paths: readonly string[] }) =>
    `'${from}' reaches '${to}' in ${paths.length} ways of the same length: ${paths.join(' and ')}. The first is taken, because its joins are declared first. Use the 'join_path' of a view, or a reference such as {${paths[1]}.member}, where another is meant.`,
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
