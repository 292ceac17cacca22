import { isUtf8 } from 'node:buffer'
import { gitError } from './git-error.ts'
import { isObjectId, type ObjectId } from './objects.ts'

/** Who did something and when. */
export interface Signature {
  readonly name: string
  readonly email: string
  /** Seconds since 1970. */
  readonly seconds: number
  /** Offset from UTC as git writes it, `+0200`. */
  readonly zone: string
}

/** A header beyond the four that every commit has, such as `gpgsig` or `encoding`. Lines are joined by a newline. */
export interface ExtraHeader {
  readonly name: string
  readonly value: string
}

export interface Commit {
  readonly tree: ObjectId
  readonly parents: readonly ObjectId[]
  readonly author: Signature
  readonly committer: Signature
  readonly extraHeaders?: readonly ExtraHeader[]
  readonly message: string
  /** `latin1` stands for any bytes that are not UTF-8, so that they can be written back as they came. */
  readonly charset?: 'utf-8' | 'latin1'
}

/** The content of a commit object. */
export function encodeCommit(commit: Commit): Uint8Array {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map(parent => `parent ${parent}`),
    `author ${signatureText(commit.author)}`,
    `committer ${signatureText(commit.committer)}`,
    ...(commit.extraHeaders ?? []).map(({ name, value }) => `${name} ${value.replaceAll('\n', '\n ')}`),
  ]
  return Buffer.from(`${lines.join('\n')}\n\n${commit.message}`, commit.charset === 'latin1' ? 'latin1' : 'utf8')
}

/**
 * Reads the content of a commit object. Headers it does not know are kept in their order.
 *
 * @throws {GitError} `object_corrupt` when a header that every commit has is absent or malformed.
 */
export function parseCommit(content: Uint8Array): Commit {
  const charset = isUtf8(content) ? 'utf-8' : 'latin1'
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const text = charset === 'latin1' ? bytes.toString('latin1') : bytes.toString()
  const headerEnd = text.indexOf('\n\n')
  const headers = readHeaders(headerEnd < 0 ? text.replace(/\n$/, '') : text.slice(0, headerEnd))
  const tree = headers.shift()
  if (tree?.name !== 'tree' || !isObjectId(tree.value)) throw corrupt('its first line names no tree')
  const parents: ObjectId[] = []
  while (headers[0]?.name === 'parent') {
    const parent = headers.shift()?.value ?? ''
    if (!isObjectId(parent)) throw corrupt('a parent is not an object id')
    parents.push(parent)
  }
  const author = headers.shift()
  const committer = headers.shift()
  if (author?.name !== 'author') throw corrupt('it has no author')
  if (committer?.name !== 'committer') throw corrupt('it has no committer')
  return {
    tree: tree.value,
    parents,
    author: readSignature(author.value),
    committer: readSignature(committer.value),
    extraHeaders: headers,
    message: headerEnd < 0 ? '' : text.slice(headerEnd + 2),
    charset,
  }
}

function signatureText({ name, email, seconds, zone }: Signature): string {
  return `${name === '' ? '' : `${name} `}<${email}> ${seconds} ${zone}`
}

/** A signature that some old tool mangled keeps what can be read: git shows such a commit too, dated 1970. */
function readSignature(text: string): Signature {
  const match = /^(?:(.*) )?<([^>]*)> (-?\d+) ([+-]\d+)$/.exec(text)
  if (match === null) return { name: text, email: '', seconds: 0, zone: '+0000' }
  const [, name = '', email = '', seconds = '0', zone = '+0000'] = match
  return { name, email, seconds: Number(seconds), zone }
}

function readHeaders(text: string): ExtraHeader[] {
  const headers: ExtraHeader[] = []
  for (const line of text.split('\n')) {
    const previous = headers.at(-1)
    if (line.startsWith(' ') && previous !== undefined) {
      headers[headers.length - 1] = { name: previous.name, value: `${previous.value}\n${line.slice(1)}` }
      continue
    }
    const space = line.indexOf(' ')
    if (space < 0) throw corrupt(`the header line ${JSON.stringify(line.slice(0, 100))} has no value`)
    headers.push({ name: line.slice(0, space), value: line.slice(space + 1) })
  }
  return headers
}

function corrupt(reason: string) {
  return gitError('object_corrupt', { kind: 'commit', reason })
}
