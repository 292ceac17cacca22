import { describe, expect, test } from 'vitest'
import { browserModule } from '../support/browser-modules.ts'
import { servedOperations } from '../support/served-document.ts'

const { matches } = await browserModule('filter.js')
const { addressOf, readPlace } = await browserModule('place.js')
const operations = await servedOperations()
const idsFor = (filter: string) => operations.filter(operation => matches(operation, filter)).map(({ id }) => id)

describe('the filter', () => {
  test.each(['', ' ', '  \t'])('%j shows everything', filter => {
    expect(idsFor(filter)).toHaveLength(operations.length)
  })

  test('looks into method, path, summary and id, in capitals or not', () => {
    expect(idsFor('USERS/ME')).toEqual(['getMe', 'updateMySettings'])
    expect(idsFor('removebranch')).toEqual(['removeBranch'])
    expect(idsFor('delete').length).toBeGreaterThan(3)
    const [summary = ''] = operations.filter(({ id }) => id === 'getDeployment').map(operation => operation.summary)
    expect(idsFor(summary.toUpperCase())).toContain('getDeployment')
  })

  test('wants every word, in any order', () => {
    expect(idsFor('branches delete')).toEqual(idsFor('delete branches'))
    expect(idsFor('delete branches')).toEqual(['removeBranch'])
    expect(idsFor('delete branches xyzzy')).toEqual([])
  })
})

describe('the address', () => {
  test.each([
    ['/', { filter: '', target: '' }],
    ['/#getMe', { filter: '', target: 'getMe' }],
    ['/?filter=dev+mode#startDevMode', { filter: 'dev mode', target: 'startDevMode' }],
    ['/?filter=a%26b%23%2B', { filter: 'a&b#+', target: '' }],
    ['/#a%20%22b%22', { filter: '', target: 'a "b"' }],
  ])('%s', (address, place) => {
    expect(addressOf('/', place)).toBe(address)
    expect(readPlace(new URL(address, 'http://host'))).toEqual(place)
  })

  test('a broken escape is taken as it is', () => {
    expect(readPlace({ search: '', hash: '#%E0%A4%A' })).toEqual({ filter: '', target: '%E0%A4%A' })
  })
})
