import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate, deflateSync } from 'node:zlib'
import type { GitObject, ObjectId, ObjectType } from './objects.ts'

const typeNumbers: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 }
const compress = promisify(deflate)

/** A pack of version 2 in which every object stands whole. */
export function writePack(objects: Iterable<readonly [ObjectId, GitObject]>): Uint8Array {
  const unique = new Map(objects)
  const parts: Uint8Array[] = [packHeader(unique.size)]
  for (const object of unique.values()) parts.push(objectHeader(object), deflateSync(object.content))
  const body = Buffer.concat(parts)
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

/**
 * The same pack piece by piece, compressed outside the main thread, for objects that are read as they are sent.
 *
 * @param count how many objects come; each must come once.
 */
export async function* streamPack(
  count: number,
  objects: AsyncIterable<readonly [ObjectId, GitObject]>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha1')
  const header = packHeader(count)
  hash.update(header)
  yield header
  let sent = 0
  for await (const [, object] of objects) {
    const bytes = Buffer.concat([objectHeader(object), await compress(object.content)])
    hash.update(bytes)
    yield bytes
    sent++
  }
  if (sent !== count) throw new Error(`A pack announced ${count} objects and was given ${sent}`)
  yield hash.digest()
}

function packHeader(count: number): Uint8Array {
  const header = Buffer.alloc(12)
  header.write('PACK')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(count, 8)
  return header
}

/** Type and size: four bits of the size beside the type, then seven to a byte, lowest first. */
function objectHeader({ type, content }: GitObject): Uint8Array {
  const bytes: number[] = []
  let rest = Math.floor(content.byteLength / 16)
  let byte = (typeNumbers[type] << 4) | (content.byteLength % 16)
  while (rest > 0) {
    bytes.push(byte | 0x80)
    byte = rest % 128
    rest = Math.floor(rest / 128)
  }
  return Uint8Array.of(...bytes, byte)
}
