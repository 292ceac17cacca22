import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import { toBytes, toHex } from '../object-id.ts'
import type { GitObjectType } from '../schema.ts'

export interface StoredObject {
  readonly type: GitObjectType
  readonly content: Uint8Array
}

/** Rows and bytes of one statement at most. */
const chunkRows = 5_000
const chunkBytes = 8 * 1024 * 1024
/** Ids of one select at most. */
const readRows = 20_000

/** Reads objects by id. Those that are not stored are left out. */
export async function readObjects(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  ids: readonly string[],
): Promise<Map<string, StoredObject>> {
  const objects = new Map<string, StoredObject>()
  for (let start = 0; start < ids.length; start += readRows) {
    const rows = await executor
      .selectFrom('gitObjects')
      .select(['id', 'type', 'content'])
      .where('accountId', '=', accountId)
      .where('deploymentId', '=', deploymentId)
      .where('id', '=', anyOf(ids.slice(start, start + readRows)))
      .execute()
    for (const { id, type, content } of rows) objects.set(toHex(id), { type, content })
  }
  return objects
}

/** SHA-1 of the bytes and their number, by the git id of the blob. Reads no content. */
export async function readBlobFacts(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  ids: readonly string[],
): Promise<Map<string, { readonly sha1: string; readonly size: number }>> {
  const facts = new Map<string, { sha1: string; size: number }>()
  for (let start = 0; start < ids.length; start += readRows) {
    const rows = await executor
      .selectFrom('gitObjects')
      .select(['id', 'sha1', sql<number>`octet_length(content)`.as('size')])
      .where('accountId', '=', accountId)
      .where('deploymentId', '=', deploymentId)
      .where('type', '=', 'blob')
      .where('id', '=', anyOf(ids.slice(start, start + readRows)))
      .execute()
    for (const { id, sha1, size } of rows) if (sha1 !== null) facts.set(toHex(id), { sha1: toHex(sha1), size })
  }
  return facts
}

/** Adds objects; those that are stored already are left as they are. */
export async function insertObjects(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  objects: ReadonlyMap<string, StoredObject>,
): Promise<void> {
  // Always in the order of ids, so that two transactions that add the same objects wait for each other and do not lock up.
  const sorted = [...objects].sort(([left], [right]) => (left < right ? -1 : 1))
  for (const chunk of chunks(sorted)) await insertChunk(executor, accountId, deploymentId, chunk)
}

type Entry = readonly [id: string, object: StoredObject]

function* chunks(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let chunk: Entry[] = []
  let bytes = 0
  for (const entry of entries) {
    const size = entry[1].content.byteLength
    if (chunk.length > 0 && (chunk.length === chunkRows || bytes + size > chunkBytes)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(entry)
    bytes += size
  }
  if (chunk.length > 0) yield chunk
}

/**
 * All contents travel as one binary parameter that the server cuts up: an array of bytea would be sent as text, twice its size.
 */
async function insertChunk(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  entries: readonly Entry[],
): Promise<void> {
  const ids = entries.map(([id]) => id)
  const types = entries.map(([, { type }]) => type)
  const sizes = entries.map(([, { content }]) => content.byteLength)
  const sha1s = entries.map(([, { type, content }]) => (type === 'blob' ? sha1Of(content) : null))
  const starts: number[] = []
  let start = 1
  for (const size of sizes) {
    starts.push(start)
    start += size
  }
  const contents = Buffer.concat(entries.map(([, { content }]) => content))
  await sql`
    insert into git_objects (account_id, deployment_id, id, type, content, sha1)
    select ${accountId}::bigint, ${deploymentId}::bigint, decode(id, 'hex'), type,
      substring(${contents}::bytea from start for size), decode(sha1, 'hex')
    from unnest(${ids}::text[], ${types}::text[], ${starts}::int[], ${sizes}::int[], ${sha1s}::text[])
      as object (id, type, start, size, sha1)
    on conflict do nothing`.execute(executor)
}

const sha1Of = (content: Uint8Array): string => createHash('sha1').update(content).digest('hex')

const anyOf = (ids: readonly string[]) => sql<Buffer>`any(${ids.map(toBytes)}::bytea[])`
