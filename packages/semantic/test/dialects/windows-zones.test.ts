import { expect, test } from 'vitest'
import { windowsZone } from '../../src/dialects/windows-zones.ts'
import { compileFor, modelOf } from '../support/model.ts'

test('every zone that this machine knows has a name of Windows, but one', () => {
  const without = Intl.supportedValuesOf('timeZone').filter(zone => windowsZone(zone) === null)
  expect(without).toEqual(['Antarctica/Troll'])
})

test('old and new names of a zone, in any case, are the same zone', () => {
  expect(windowsZone('Asia/Calcutta')).toBe('India Standard Time')
  expect(windowsZone('asia/kolkata')).toBe('India Standard Time')
  expect(windowsZone('US/Eastern')).toBe(windowsZone('America/New_York'))
})

const model = modelOf(`
cubes:
  - name: ticks
    sql_table: ticks
    measures: [{ name: count, type: count }]
    dimensions: [{ name: at, sql: at, type: time }]
`)
const inTroll = {
  measures: ['ticks.count'],
  timeDimensions: [{ dimension: 'ticks.at', granularity: 'day' }],
  timezone: 'Antarctica/Troll',
}

test('a zone without one is refused for SQL Server, and for no other database', () => {
  expect(() => compileFor(model, inTroll, 'sqlserver')).toThrow(
    "The database of these data doesn't know the time zone 'Antarctica/Troll'. Use another zone with the same clock.",
  )
  expect(compileFor(model, inTroll, 'postgres').parameters).toContain('Antarctica/Troll')
})
