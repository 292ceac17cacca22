import type { Model, QueryContext } from '../../src/index.ts'
import type { Dice } from '../fuzz/mutate.ts'

const values = ['a', 'b', 'done', 7, 1.5, true, null, ['a', 'b'], ['done'], [], '2024-01-31', 'last 7 days']

/** What a model asks of its callers: groups, and names of attributes and of parts of the security context. */
interface Asked {
  readonly groups: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

const known = new WeakMap<Model, Asked>()

function askedBy(model: Model): Asked {
  const found = known.get(model)
  if (found) return found
  const groups = new Set<string>()
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('kind' in value && value.kind === 'property' && 'name' in value) names.add(String(value.name))
    if ('kind' in value && value.kind === 'securityContext' && 'path' in value) names.add(String(value.path))
    if ('groups' in value && Array.isArray(value.groups)) for (const group of value.groups) groups.add(String(group))
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(model)
  const asked = { groups, names }
  known.set(model, asked)
  return asked
}

/** A caller who has some of what the model's policies and SQL ask for. */
export function randomCaller(model: Model, dice: Dice): QueryContext {
  const { groups, names } = askedBy(model)
  const attributes = () =>
    Object.fromEntries([...names].flatMap(name => (dice.roll(6) === 0 ? [] : [[name, dice.pick(values)]])))
  return {
    securityContext: attributes(),
    groups: [...groups].filter(() => dice.roll(2) === 0),
    userAttributes: attributes(),
    now: new Date(Date.UTC(2024, dice.roll(12), 15)),
    ...(dice.roll(4) === 0 ? { keepsRowsApart: dice.roll(2) === 0 } : {}),
    ...(dice.roll(4) === 0 ? { defaultMasks: { string: dice.pick(['hidden', '—']), number: -1 } } : {}),
  }
}
