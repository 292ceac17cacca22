import type { ProblemLog } from '../messages/model-messages.ts'
import type { JsonValue, Position } from '../shapes/source.ts'

/**
 * A value of a model file, whatever language the file is in. `start` is where it begins in the file's text. Aliases and merge
 * keys are already replaced by what they stand for, so one node can stand in several places.
 */
export type SourceNode = SourceMap | SourceList | SourceScalar

export interface SourceMap {
  readonly kind: 'map'
  readonly start: number
  readonly entries: readonly SourceEntry[]
}

export interface SourceEntry {
  readonly key: SourceScalar
  readonly name: string
  /** A scalar `null` where nothing is written. */
  readonly value: SourceNode
}

export interface SourceList {
  readonly kind: 'list'
  readonly start: number
  readonly items: readonly SourceNode[]
}

export interface SourceScalar {
  readonly kind: 'scalar'
  readonly start: number
  readonly end: number
  readonly value: string | number | boolean | null
  /** As it is written, without quotes: `1.50` where `value` is 1.5. */
  readonly written: string
  /** Braces in `value` are the author's own, since the language has another way to refer. Absent: no. */
  readonly isLiteral?: boolean
}

/** One model file being read: its nodes, their places and what is wrong with it. */
export interface ModelSource {
  /** `null` when the file holds nothing. */
  readonly root: SourceNode | null
  readonly log: ProblemLog
  at(node: SourceNode): Position
  /** The place where `raw` is written at or after the last place found inside this scalar. */
  locator(node: SourceScalar): (raw: string) => Position
  toJson(node: SourceNode): JsonValue
}

export const isMap = (node: SourceNode | undefined): node is SourceMap => node?.kind === 'map'
export const isList = (node: SourceNode | undefined): node is SourceList => node?.kind === 'list'
export const isScalar = (node: SourceNode | undefined): node is SourceScalar => node?.kind === 'scalar'
export const isEmpty = (node: SourceNode | undefined) => node === undefined || (isScalar(node) && node.value === null)

/** What a value is, in the words of a message. */
export function describeNode(node: SourceNode): string {
  if (isMap(node)) return 'a map'
  if (isList(node)) return 'a list'
  return node.value === null ? 'empty' : `'${String(node.value)}'`
}

/** More values than a model needs, and fewer than a machine can't bear: aliases let a small file stand for a huge one. */
const valueLimit = 100_000

/** A node as plain data. `tooLarge` is called when it stands for more values than any model needs. */
export function nodeToJson(node: SourceNode, tooLarge: () => void): JsonValue {
  let count = 0
  const convert = (value: SourceNode): JsonValue => {
    count += 1
    if (count === valueLimit) tooLarge()
    if (count >= valueLimit) return null
    if (isMap(value)) return Object.fromEntries(value.entries.map(entry => [entry.name, convert(entry.value)]))
    return isList(value) ? value.items.map(convert) : value.value
  }
  return convert(node)
}
