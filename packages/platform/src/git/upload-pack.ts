import { compareBytes } from './byte-order.ts'
import { gitError } from './git-error.ts'
import { reachesAny } from './history.ts'
import type { GitObject, ObjectId, ObjectReader } from './objects.ts'
import { streamPack } from './pack.ts'
import { flushPacket, maximumPacketContent, packet } from './packet-line.ts'
import { type Reachable, reachable } from './reachable.ts'
import type { UploadRequest } from './upload-request.ts'

/** Branches by full name, `refs/heads/main`, and the commits they point at. */
export type References = ReadonlyMap<string, ObjectId>

/** Progress is never sent, but a client that was asked to be quiet is so only where `no-progress` is offered. */
const capabilities = 'multi_ack_detailed side-band-64k no-progress object-format=sha1 agent=hedron'
const nullId = '0'.repeat(40)
const packBand = 1
const errorBand = 3
/** How many objects are read at a time while a pack is sent. */
const readBatch = 200

/**
 * The body of `GET …/info/refs?service=git-upload-pack`, type `application/x-git-upload-pack-advertisement`, in
 * version 0 of the protocol: https://git-scm.com/docs/http-protocol. Clients that offer version 2 accept it.
 *
 * @param head the name of the branch that a clone checks out; left out when it is not among the references.
 */
export function advertiseRefs(references: References, head: string): Uint8Array {
  const headId = references.get(head)
  const sorted = [...references].sort(([left], [right]) => compareBytes(left, right))
  const lines = headId === undefined ? sorted : [['HEAD', headId] as const, ...sorted]
  const offered = headId === undefined ? capabilities : `${capabilities} symref=HEAD:${head}`
  const packets = lines.map(([name, id], index) => packet(`${id} ${name}${index === 0 ? `\0${offered}` : ''}\n`))
  if (lines.length === 0) packets.push(packet(`${nullId} capabilities^{}\0${offered}\n`))
  return Buffer.concat([packet('# service=git-upload-pack\n'), flushPacket, ...packets, flushPacket])
}

export interface UploadPackInput {
  readonly reader: ObjectReader
  readonly references: References
  readonly request: UploadRequest
}

/**
 * The body of the answer to `POST …/git-upload-pack`, type `application/x-git-upload-pack-result`, piece by piece: which
 * of the client's commits are known here and, once it is done asking, a pack with what it lacks. Only commits that a
 * reference points at are given out; anything else is answered by an error that git shows to the person.
 */
export async function* uploadPackResponse({
  reader,
  references,
  request,
}: UploadPackInput): AsyncGenerator<Uint8Array> {
  const offered = new Set(references.values())
  const unknown = request.wants.find(id => !offered.has(id))
  if (unknown !== undefined) {
    yield packet(`ERR ${gitError('want_unknown', { id: unknown }).message}\n`)
    return
  }
  if (request.wants.length === 0) return
  const common = await knownCommits(reader, request.haves)
  yield* acknowledge(reader, request, common)
  if (!request.done) return
  const objects = await reachable(reader, request.wants, common)
  const pack = streamPack(countObjects(objects), readObjects(reader, objects))
  if (!request.capabilities.has('side-band-64k')) {
    yield* pack
    return
  }
  yield* inBand(pack)
}

async function knownCommits(reader: ObjectReader, ids: readonly ObjectId[]): Promise<ObjectId[]> {
  if (ids.length === 0) return []
  const found = await reader.read(ids)
  return ids.filter(id => found.get(id)?.type === 'commit')
}

/**
 * With `multi_ack_detailed` every known commit is named, and `ready` says that no more need be asked; without it, the
 * first one alone.
 */
async function* acknowledge(
  reader: ObjectReader,
  { wants, capabilities, done }: UploadRequest,
  common: readonly ObjectId[],
): AsyncGenerator<Uint8Array> {
  const [first, last] = [common[0], common.at(-1)]
  if (!capabilities.has('multi_ack_detailed')) {
    yield packet(first === undefined ? 'NAK\n' : `ACK ${first}\n`)
    return
  }
  for (const id of common) yield packet(`ACK ${id} common\n`)
  if (!done && last !== undefined && (await everyWantMeets(reader, wants, common))) yield packet(`ACK ${last} ready\n`)
  yield packet(done && last !== undefined ? `ACK ${last}\n` : 'NAK\n')
}

/** Whether the history of each wanted commit leads to something that the client has. */
async function everyWantMeets(reader: ObjectReader, wants: readonly ObjectId[], common: readonly ObjectId[]) {
  const targets = new Set(common)
  for (const want of wants) if (!(await reachesAny(reader, want, targets))) return false
  return true
}

function countObjects({ commits, trees, blobs }: Reachable): number {
  return commits.length + trees.length + blobs.length
}

async function* readObjects(reader: ObjectReader, { commits, trees, blobs }: Reachable) {
  const ids = [...commits, ...trees, ...blobs]
  for (let start = 0; start < ids.length; start += readBatch) {
    const batch = ids.slice(start, start + readBatch)
    const objects = await reader.read(batch)
    for (const id of batch) {
      const object = objects.get(id)
      if (object === undefined) throw gitError('object_missing', { id, wanted: 'object' })
      yield [id, object] satisfies [ObjectId, GitObject]
    }
  }
}

/** Wraps a pack into packets of band 1. A failure on the way is told in band 3, which git prints before it gives up. */
async function* inBand(pack: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const size = maximumPacketContent - 1
  try {
    for await (const chunk of pack) {
      for (let start = 0; start < chunk.byteLength; start += size) {
        yield packet(Buffer.concat([Uint8Array.of(packBand), chunk.subarray(start, start + size)]))
      }
    }
    yield flushPacket
  } catch (error) {
    yield packet(
      Buffer.concat([Uint8Array.of(errorBand), Buffer.from('The pack could not be completed. Try again later.\n')]),
    )
    throw error
  }
}
