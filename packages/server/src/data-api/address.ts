import { DataError } from '@hedron/platform'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { actionOf, actions, isProbe } from './actions.ts'
import { systemActionOf } from './system-actions.ts'

/** What of a deployment an address means. */
export interface Address {
  readonly deploymentId: number
  /** Null: production. */
  readonly branchName: string | null
  /** What is asked for, for example `load` or `readyz`. */
  readonly action: string
  /** Whether it is of what looks after rollups, `/cubejs-system`. */
  readonly isSystem: boolean
}

const prefix = 'cubejs-api/v1/'
const systemPrefix = 'cubejs-system/v1/'
/** The one address beside `v1`, which is known as if it were below. */
const graphqlAtEnd = /(^|\/)cubejs-api\/graphql$/

/** Addresses that were taken apart, by method and path: the same few come again and again. */
const known = new LRUCache<string, Address>({ max: 1000 })
/** Of longer ones there are as many as somebody likes. */
const longest = 512

/** Takes an address below `/data/` apart: branch names hold slashes. @throws {DataError} 404 where nothing is. */
export function readAddress(request: FastifyRequest): Address {
  const { url, method } = request
  const end = url.indexOf('?')
  const key = `${method} ${end < 0 ? url : url.slice(0, end)}`
  const remembered = known.get(key)
  if (remembered) return remembered
  const address = takeApart(request)
  if (key.length <= longest) known.set(key, address)
  return address
}

function takeApart(request: FastifyRequest): Address {
  const { deploymentId, '*': rest = '' } = request.params as { deploymentId: string; '*': string }
  const path = rest.replace(/\/+$/, '').replace(graphqlAtEnd, '$1cubejs-api/v1/../graphql')
  const { before, action, isSystem = false } = cutAtPrefix(path) ?? cutAtSystem(path) ?? cutAtProbe(path)
  const [, branch] = /^dev-mode\/(.+)\/$/.exec(before) ?? []
  const there = isSystem ? systemActionOf(action, request.method) : isProbe(action) || actionOf(action, request.method)
  const isKnown = there && (before === '' || branch !== undefined) && !before.includes('\0')
  if (!isKnown || !/^[1-9]\d{0,14}$/.test(deploymentId)) throw notFound(request)
  return { deploymentId: Number(deploymentId), branchName: branch ?? null, action, isSystem }
}

/** Whether an address is below that of a branch, known or not. */
export const isOfBranch = (request: FastifyRequest): boolean => restOf(request).startsWith('dev-mode/')

function restOf({ params }: FastifyRequest): string {
  const rest: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, '*') : undefined
  return typeof rest === 'string' ? rest : ''
}

interface Cut {
  readonly before: string
  readonly action: string
  readonly isSystem?: true
}

/** Takes an address apart where the data API begins in it. */
function cutAtPrefix(path: string): Cut | undefined {
  const cut = path.lastIndexOf(`/${prefix}`) + 1
  if (!path.startsWith(prefix, cut)) return undefined
  const action = path.slice(cut + prefix.length)
  return isProbe(action) ? undefined : { before: path.slice(0, cut), action }
}

/** So does what looks after rollups. */
function cutAtSystem(path: string): Cut | undefined {
  const cut = path.lastIndexOf(`/${systemPrefix}`) + 1
  if (!path.startsWith(systemPrefix, cut)) return undefined
  return { before: path.slice(0, cut), action: path.slice(cut + systemPrefix.length), isSystem: true }
}

/** Probes stand beside the data API. */
function cutAtProbe(path: string): Cut {
  const cut = path.lastIndexOf('/') + 1
  const action = path.slice(cut)
  return { before: path.slice(0, cut), action: isProbe(action) ? action : '' }
}

function notFound(request: FastifyRequest): DataError {
  const path = request.url.split('?', 1)[0]
  return new DataError(
    404,
    `There is no ${request.method} ${path}. The data API has /cubejs-api/v1/${[...actions.keys()].filter(name => !name.startsWith('.')).join(', ')}.`,
  )
}
