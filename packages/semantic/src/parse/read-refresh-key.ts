import type { RefreshKeySpec } from '../shapes/tree.ts'
import { boolean, locatedText, optional, type Reader, readMap, sql } from './fields.ts'
import { describeNode, isMap } from './source-node.ts'

const everyPattern = /^(\d+) (second|minute|hour|day|week)s?$/

/** When what a cube says grows old. */
export const refreshKey: Reader<RefreshKeySpec> = (value, place, source) => {
  if (!isMap(value)) {
    source.log.report(source.at(value), 'wrong_type', { ...place, expected: 'a map', actual: describeNode(value) })
    return undefined
  }
  const fields = { every: optional(locatedText), sql: optional(sql), immutable: optional(boolean, false) }
  const unsupported = ['timezone', 'incremental', 'updateWindow']
  const read = readMap(value, `'refresh_key' of ${place.of}`, { fields, unsupported }, source)
  if (!read) return undefined
  const { every, immutable: isImmutable } = read
  if (every && !everyPattern.test(every.value)) {
    if (/^[\d*/,\- ]+$/.test(every.value)) {
      source.log.report(every.at, 'unsupported_value', {
        key: 'every',
        of: `'refresh_key' of ${place.of}`,
        value: every.value,
      })
    } else {
      source.log.report(every.at, 'refresh_every', { value: every.value })
    }
    return undefined
  }
  if (isImmutable === Boolean(every || read.sql)) {
    source.log.report(source.at(value), 'refresh_key_parts', { cube: place.of.replace(/^cube '|'$/g, '') })
    return undefined
  }
  return { every: every?.value ?? null, sql: read.sql, isImmutable }
}
