import { describe, expect, test } from 'vitest'
import { addressOf, findPlacement, putPlacement, readPlacements } from '../../src/content/reports/placements.ts'

const placing = { at: '2026-01-02T03:04:05.000Z', by: 7, newId: () => 'new', checksum: 'c1' }
const facts = { externalWorkbookId: 'wb', resultLocation: 'Sheet1!A1' }

describe('the address in a location', () => {
  test.each([
    ['Sheet1!A1', 'Sheet1', 'A1'],
    ["'My ''own'''!$B$2:D9", "My 'own'", 'B2'],
    ["'a!b'!c3", 'a!b', 'C3'],
    ['A1', null, null],
    ['Sheet1!', null, null],
    ['Sheet1!range', null, null],
    ["'open!A1", "'open", 'A1'],
  ])('%s', (resultLocation, sheetName, anchorCell) => {
    expect(addressOf({ resultLocation })).toEqual({ sheetName, anchorCell })
  })

  test('is what is named beside it, where it is', () => {
    expect(addressOf({ resultLocation: 'Sheet1!A1', sheetName: 'Two', anchorCell: '$c$4' })).toEqual({
      sheetName: 'Two',
      anchorCell: 'C4',
    })
  })
})

describe('putting a placement', () => {
  test('with an unknown id at a known place gives that one the id', () => {
    const { placements } = putPlacement([], facts, placing)
    const after = putPlacement(
      placements,
      { ...facts, placementId: 'mine' },
      { ...placing, at: '2026-02-02T00:00:00.000Z' },
    )
    expect(after.placements).toHaveLength(1)
    expect(after.placement).toMatchObject({ id: 'mine', placedAt: placing.at, refreshedAt: '2026-02-02T00:00:00.000Z' })
  })

  test('that only moved keeps what is known of its rows', () => {
    const first = putPlacement([], { ...facts, resultChecksum: { v: 1, chunks: [] } }, placing)
    const { placement } = putPlacement(
      first.placements,
      { ...facts, placementId: 'new', resultLocation: 'Sheet2!B2' },
      { ...placing, by: 8, checksum: null },
    )
    expect(placement).toEqual({
      ...first.placement,
      resultLocation: 'Sheet2!B2',
      sheetName: 'Sheet2',
      anchorCell: 'B2',
    })
  })

  test('is read back from what is stored, and found by id, or by all of its place', () => {
    const { placements } = putPlacement([], { ...facts, sheetId: '7' }, placing)
    const stored = readPlacements(JSON.parse(JSON.stringify(placements)))
    expect(findPlacement(stored, { placementId: 'new' })).toEqual(stored[0])
    expect(findPlacement(stored, { placementId: 'other', ...facts })).toBeUndefined()
    expect(findPlacement(stored, facts)).toEqual(stored[0])
    expect(findPlacement(stored, { ...facts, sheetId: '8' })).toBeUndefined()
    expect(findPlacement(stored, { externalWorkbookId: 'wb', sheetName: 'Sheet1' })).toBeUndefined()
  })
})
