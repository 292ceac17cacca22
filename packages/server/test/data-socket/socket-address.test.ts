import { expect, test } from 'vitest'
import { readSocketAddress } from '../../src/data-socket/socket-address.ts'

test.for([
  ['/data/5', { deploymentId: 5, branchName: null }],
  ['/data/5/', { deploymentId: 5, branchName: null }],
  ['/data/5/?a=b', { deploymentId: 5, branchName: null }],
  ['/data/5/dev-mode/main', { deploymentId: 5, branchName: 'main' }],
  ['/data/5/dev-mode/feature/of%20mine/', { deploymentId: 5, branchName: 'feature/of mine' }],
] as const)('%s is the web socket of a deployment', ([url, address]) => {
  expect(readSocketAddress(url)).toEqual(address)
})

test.for([
  '',
  '/',
  '/data/',
  '/data/05/',
  '/data/5x/',
  '/data/9999999999999999/',
  '/data/5/dev-mode/',
  '/data/5/dev-mode/%',
  '/data/5/dev-mode/%00',
  '/data/5/cubejs-api/v1/load',
  '/api/v1/spec',
])('%j is none', url => {
  expect(readSocketAddress(url)).toBeNull()
})
