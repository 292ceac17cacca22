import { usage } from './failure.ts'
import { isBlank } from './text.ts'

/** What a value may look like: its name in the help, and how its text is read. */
export interface Kind<T> {
  readonly name: string
  /** @throws {Failure} `usage`, with the label of the parameter, where the text is refused. */
  readonly parse: (text: string, label: string) => T
}

/** One argument or option of a command. */
export interface Parameter<T> {
  readonly help: string
  /** Name of its value in the help; absent for a switch. */
  readonly value?: string
  /** One letter for the command line, as in `-d`. */
  readonly short?: string
  readonly presence: 'optional' | 'required' | 'repeated' | 'some'
  /** Turns the texts that were given, none or more, into the value that the command gets. */
  readonly read: (texts: readonly string[], label: string) => T
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>
export type ValuesOf<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never
}

interface Extra {
  readonly short?: string
}

export const optional = <T>(kind: Kind<T>, help: string, extra: Extra = {}): Parameter<T | undefined> => ({
  ...extra,
  help,
  value: kind.name,
  presence: 'optional',
  read: (texts, label) => {
    const text = single(texts, label)
    return text === undefined ? undefined : kind.parse(text, label)
  },
})

export const required = <T>(kind: Kind<T>, help: string, extra: Extra = {}): Parameter<T> => ({
  ...extra,
  help,
  value: kind.name,
  presence: 'required',
  read: (texts, label) => {
    const text = single(texts, label)
    if (text === undefined) throw usage(`${label} is required`)
    return kind.parse(text, label)
  },
})

export const withDefault = <T>(kind: Kind<T>, initial: string, help: string): Parameter<T> => ({
  help: `${help} (default: ${initial})`,
  value: kind.name,
  presence: 'optional',
  read: (texts, label) => kind.parse(single(texts, label) ?? initial, label),
})

/** May be given any number of times. */
export const repeated = <T>(kind: Kind<T>, help: string, extra: Extra = {}): Parameter<readonly T[]> => ({
  ...extra,
  help,
  value: kind.name,
  presence: 'repeated',
  read: (texts, label) => texts.map(text => kind.parse(text, label)),
})

/** Must be given once or more. */
export const some = <T>(kind: Kind<T>, help: string): Parameter<readonly T[]> => ({
  ...repeated(kind, help),
  presence: 'some',
})

export const flag = (help: string, extra: Extra = {}): Parameter<boolean> => ({
  ...extra,
  help,
  presence: 'optional',
  read: texts => texts.length > 0,
})

function single(texts: readonly string[], label: string): string | undefined {
  if (texts.length > 1) throw usage(`${label} is given ${texts.length} times and takes one value`)
  return texts[0]
}

export const text = (name: string): Kind<string> => ({ name, parse: value => value })

/** A whole number that JavaScript holds exactly. */
export const integer = (name: string, minimum = 0): Kind<number> => ({
  name,
  parse: (value, label) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < minimum) {
      throw usage(`${label}: '${value}' is not a whole number from ${minimum}`)
    }
    return number
  },
})

export const choice = <const C extends string>(name: string, values: readonly C[]): Kind<C> => ({
  name,
  parse: (value, label) => {
    const found = values.find(candidate => candidate === value)
    if (found === undefined) throw usage(`${label}: '${value}' is not one of ${values.join(', ')}`)
    return found
  },
})

/** Text that names something; blanks alone are refused, because they would be sent as an empty field. */
export const nonBlank = (name: string, consequence: string): Kind<string> => ({
  name,
  parse: (value, label) => {
    if (isBlank(value)) throw usage(`${label}: an empty value ${consequence}`)
    return value
  },
})

/** A branch that must be named. */
export const branchName: Kind<string> = nonBlank('branch', 'names no branch and would be sent as an empty field')

/** A list in one value, with commas between its items. */
export const commaList = (name: string): Kind<readonly string[]> => ({
  name,
  parse: value =>
    value
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== ''),
})

/** What a timer can wait for, some 24 days. */
const longestDuration = 2 ** 31 - 1
const unitMilliseconds: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** A span of time in milliseconds, from `90`, `30s`, `15m` or `1h`. */
export const duration: Kind<number> = {
  name: 'duration',
  parse: (value, label) => {
    const match = /^(\d+)([smh]?)$/i.exec(value.trim())
    if (match === null) throw usage(`${label}: '${value}' is not a duration (try 30s, 15m, or 1h)`)
    const [, count = '', unit = ''] = match
    const milliseconds = Number(count) * (unitMilliseconds[unit.toLowerCase()] ?? 1_000)
    if (milliseconds === 0) throw usage(`${label}: '${value}' must be greater than zero`)
    if (milliseconds > longestDuration) throw usage(`${label}: '${value}' is longer than this can represent`)
    return milliseconds
  },
}

/** `KEY=VALUE`, split at the first `=`. */
export const keyValue: Kind<readonly [key: string, value: string]> = {
  name: 'KEY=VALUE',
  parse: (value, label) => {
    const at = value.indexOf('=')
    if (at < 1) throw usage(`${label}: '${value}' is not in KEY=VALUE format`)
    return [value.slice(0, at), value.slice(at + 1)]
  },
}

/** Id of a deployment, a user or another row. */
export const rowId: Kind<number> = integer('id', 1)
