import type { english } from './locales/en-US.ts'

/** Text with `{holes}`, or one text per plural form of the language (Unicode CLDR); the hole `{count}` chooses. */
export type Message = string | Plural
export interface Plural {
  readonly one?: string
  readonly few?: string
  readonly many?: string
  readonly other: string
}

export type MessageKey = keyof typeof english
/** Every text of the interface in one language. A key that is missing does not compile. */
export type Messages = { readonly [Key in MessageKey]: (typeof english)[Key] extends string ? string : Plural }

type Holes<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never
type HolesOf<Key extends MessageKey> = (typeof english)[Key] extends string
  ? Holes<(typeof english)[Key]>
  : Holes<(typeof english)[Key][keyof (typeof english)[Key]]>
type Values<Key extends MessageKey> = { readonly [Hole in HolesOf<Key>]: string | number }

/** The text of a key; with a value for each of its holes. Numbers are written as the language writes them. */
export type Translate = <Key extends MessageKey>(
  key: Key,
  ...values: [HolesOf<Key>] extends [never] ? [] : [Values<Key>]
) => string

export function createTranslate(messages: Messages, locale: string): Translate {
  const plurals = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (key, ...[values]) => {
    const given: Readonly<Record<string, string | number>> = values ?? {}
    const text = textOf(messages[key], given, plurals)
    return text.replace(/\{(\w+)\}/g, (hole, name: string) => {
      const value = given[name]
      return value === undefined ? hole : typeof value === 'number' ? numbers.format(value) : value
    })
  }
}

function textOf(
  message: Message,
  values: Readonly<Record<string, string | number>>,
  plurals: Intl.PluralRules,
): string {
  if (typeof message === 'string') return message
  const form = plurals.select(Number(values.count ?? 0))
  return (form === 'one' || form === 'few' || form === 'many' ? message[form] : undefined) ?? message.other
}
