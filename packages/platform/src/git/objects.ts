import { createHash } from 'node:crypto'

/** 40 lower-case hexadecimal digits: the SHA-1 by which git knows an object. */
export type ObjectId = string

/** What Hedron stores. Annotated tags are peeled to their commit when a repository is imported. */
export type ObjectType = 'blob' | 'tree' | 'commit'

/** An object without git's header and without compression. */
export interface GitObject {
  readonly type: ObjectType
  readonly content: Uint8Array
}

/** New objects, to be written by the caller in the same transaction as the pointer that leads to them. */
export type NewObjects = ReadonlyMap<ObjectId, GitObject>

/**
 * The way to stored objects. One call is one round trip, so callers here ask for a whole level at a time.
 * Ids that are not stored are left out of the answer.
 */
export interface ObjectReader {
  read(ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, GitObject>>
}

/** The id of the tree without files, which git knows without storing it. */
export const emptyTreeId: ObjectId = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** The id of an object: SHA-1 over `<type> <size>\0<content>`. */
export function hashObject({ type, content }: GitObject): ObjectId {
  return createHash('sha1').update(`${type} ${content.byteLength}\0`).update(content).digest('hex')
}

/** Whether a text has the form of an object id. Says nothing about the object being there. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}
