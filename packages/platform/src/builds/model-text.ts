import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Model } from '@hedron/semantic'
import { LRUCache } from 'lru-cache'

/**
 * A model as JSON in which every item of its lists (cubes, views) has a line of its own, so that it can be read a piece at a time,
 * and what is as before need not be read at all.
 */
export function writeModel(model: Model): string {
  const fields = Object.entries(model).map(([key, value]) => {
    const items = Array.isArray(value) ? `[\n${value.map(item => JSON.stringify(item)).join(',\n')}\n]` : null
    return `${JSON.stringify(key)}:${items ?? JSON.stringify(value)}`
  })
  return `{\n${fields.join(',\n')}\n}`
}

/** Reads what `writeModel` wrote. */
export type ReadModelText = (text: string, deploymentId: number) => Promise<Model>

type Parts = ReadonlyMap<string, unknown>

/** So many characters are read before other work has its turn: a millisecond or two. */
const charactersInTurn = 256 * 1024
/** The last models of so many characters together are kept, to share what their successors have in common with them. */
const keptCharacters = 32 * 1024 * 1024

/** @returns a reader that shares cubes and views between models of a deployment that follow each other */
export function createModelReader(): ReadModelText {
  const last = new LRUCache<number, Parts>({ maxSize: keptCharacters })
  return async (text, deploymentId) => {
    if (!text.startsWith('{\n')) return JSON.parse(text)
    const before = last.get(deploymentId)
    const parts = new Map<string, unknown>()
    const fields: (readonly [key: string, value: unknown])[] = []
    let items: unknown[] | undefined
    let parsed = 0
    for (const line of text.split('\n').slice(1, -1)) {
      const part = line.endsWith(',') ? line.slice(0, -1) : line
      if (line.endsWith(':[')) {
        items = []
        fields.push([JSON.parse(line.slice(0, -2)), items])
      } else if (part === ']') {
        items = undefined
      } else if (items !== undefined) {
        if (part === '') continue
        let item = before?.get(part)
        if (item === undefined) {
          item = JSON.parse(part)
          parsed += part.length
        }
        parts.set(part, item)
        items.push(item)
      } else {
        fields.push(...Object.entries(JSON.parse(`{${part}}`)))
      }
      if (parsed < charactersInTurn) continue
      parsed = 0
      await nextTurn()
    }
    last.set(deploymentId, parts, { size: Math.max(1, text.length) })
    // The type of what was written, which reading can't know.
    return Object.assign(JSON.parse('{}'), Object.fromEntries(fields))
  }
}
