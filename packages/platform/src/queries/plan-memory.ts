import type { Model } from '@hedron/semantic'
import { LRUCache } from 'lru-cache'

/** Gives what `make` made in the same second for the same model and key, else makes it. A failure is not kept. */
export type PlanMemory<T> = (model: Model, second: number, key: string, make: () => T) => T

/** Characters of keys, to which what is kept is about in proportion. */
const defaultSize = 8 * 1024 * 1024
const entrySize = 1000

/**
 * Remembers how queries were understood, so that a query which is asked again and again is planned once a second.
 *
 * The key has to hold everything beside the model and the second that the plan is a function of, who asks included. Plans of another
 * second are let go: nobody can ask for them again, and each keeps the model alive that it was made of.
 */
export function createPlanMemory<T extends object>(maxSize = defaultSize): PlanMemory<T> {
  const plans = new LRUCache<string, T>({ maxSize, sizeCalculation: (_plan, key) => entrySize + key.length })
  const names = new WeakMap<Model, number>()
  let models = 0
  let current = Number.NaN

  return (model, second, key, make) => {
    if (second !== current) plans.clear()
    current = second
    const name = names.get(model) ?? ++models
    names.set(model, name)
    const wholeKey = `${name} ${key}`
    const known = plans.get(wholeKey)
    if (known) return known
    const made = make()
    plans.set(wholeKey, made)
    return made
  }
}

/** Gives what `make` made last for the very same caller, question and other inputs, else makes it. */
export type LastPlan<T> = (caller: object, question: object, inputs: readonly unknown[], make: () => T) => T

/** Remembers the last plan of each caller's question by identity alone, in front of a `PlanMemory`: no key has to be written. */
export function createLastPlan<T>(): LastPlan<T> {
  const plans = new WeakMap<object, WeakMap<object, { readonly inputs: readonly unknown[]; readonly plan: T }>>()
  return (caller, question, inputs, make) => {
    const own = plans.get(caller) ?? new WeakMap()
    plans.set(caller, own)
    const known = own.get(question)
    if (known?.inputs.every((input, index) => input === inputs[index])) return known.plan
    const plan = make()
    own.set(question, { inputs, plan })
    return plan
  }
}
