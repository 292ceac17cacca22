import type { Model } from '@hedron/semantic'

/**
 * How the cubes of `FROM a CROSS JOIN b CROSS JOIN c` hang together: each is joined to the last one before it that has a join to it, so
 * that both a chain (orders, customers, countries) and a star (orders, customers, products) are joined as the model says. Where the
 * model has no such join, it is joined to the one before it, and the plan finds the way or says that there is none.
 */
export function joinHintsOf({ cubes }: Pick<Model, 'cubes'>, names: readonly string[]): readonly (readonly string[])[] {
  const targets = new Map(cubes.map(({ name, joins }) => [name, new Set(joins.map(({ target }) => target))] as const))
  const hints: string[][] = []
  for (const [index, name] of names.entries()) {
    if (index === 0) continue
    const parent = names.slice(0, index).findLast(other => targets.get(other)?.has(name)) ?? names[index - 1] ?? name
    const chain = hints.at(-1)
    if (chain?.at(-1) === parent) chain.push(name)
    else hints.push([parent, name])
  }
  return hints
}
