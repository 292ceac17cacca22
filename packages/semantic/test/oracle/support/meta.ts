import { isDeepStrictEqual } from 'node:util'

/** Where two descriptions of a model differ: `cube.member.property` with both values. */
export interface MetaDifference {
  readonly at: string
  readonly ours: unknown
  readonly theirs: unknown
}

/** What differs in every model, and why. */
const explained: readonly { readonly reason: string; readonly holds: (difference: MetaDifference) => boolean }[] = [
  {
    reason: 'a number of a component means nothing by itself, and the field leaves it out for cubes without joins',
    holds: ({ at }) => at.endsWith('.connectedComponent'),
  },
  {
    reason: 'newer versions of the field than that of the contract describe numbers without a format too',
    holds: ({ at, ours }) => at.endsWith('.formatDescription') && ours === undefined,
  },
  {
    reason: 'newer versions of the field than that of the contract leave out zeros at the end',
    holds: ({ at, ours, theirs }) =>
      /\.(specifier|format\.value)$/.test(at) && ours === String(theirs).replace('~', ''),
  },
  {
    reason: 'newer versions of the field than that of the contract write ID for Id in titles made from names',
    holds: ({ at, ours, theirs }) =>
      /itle$/.test(at) && String(ours).replace(/\bId(s?)\b/g, 'ID$1') === theirs && ours !== theirs,
  },
  {
    reason: 'the field forgets in views that a measure is cumulative',
    holds: ({ at, ours, theirs }) => /\.cumulative(Total)?$/.test(at) && ours === true && theirs === false,
  },
  {
    reason: "the contract has aliasMember for views' members, the field also for members that only rename another",
    holds: ({ at, ours }) => at.endsWith('.aliasMember') && ours === undefined,
  },
  {
    reason: 'segments of views and hierarchies say where they are from and whether they are shown, as other members do',
    holds: ({ at, theirs }) =>
      /\.(segments\..*\.aliasMember|hierarchies\..*\.(aliasMember|isVisible))$/.test(at) && theirs === undefined,
  },
]

/** Compares the cubes of two `/v1/meta` answers, by the names of cubes and members. */
export function compareMeta(ours: readonly unknown[], theirs: readonly unknown[]): MetaDifference[] {
  const found = differences('', byName(plain(ours)), byName(plain(theirs)))
  return found.filter(difference => !explained.some(({ holds }) => holds(difference)))
}

/** As JSON: what is undefined is absent. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Lists of named things as maps, so that a difference has a name; their order is compared too. */
function byName(value: unknown): unknown {
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, byName(inner)]))
  }
  if (value.length === 0 || !value.every(isNamed)) return value.map(byName)
  return {
    order: value.map(({ name }) => name),
    ...Object.fromEntries(value.map(item => [lastPart(item.name), byName(item)])),
  }
}

const isNamed = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'name') === 'string'

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1)

function differences(at: string, ours: unknown, theirs: unknown): MetaDifference[] {
  if (isDeepStrictEqual(ours, theirs)) return []
  if (!isMap(ours) || !isMap(theirs)) return [{ at, ours, theirs }]
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...keys].flatMap(key => differences(at === '' ? key : `${at}.${key}`, ours[key], theirs[key]))
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
