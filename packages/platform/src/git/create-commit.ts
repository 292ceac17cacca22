import { encodeCommit, type Signature } from './commit.ts'
import { type GitObject, hashObject, type ObjectId } from './objects.ts'

export interface CommitRequest {
  readonly tree: ObjectId
  readonly parents: readonly ObjectId[]
  readonly author: { readonly name: string; readonly email: string }
  readonly at: Date
  readonly message: string
}

/**
 * A commit by one person, dated in UTC. Names and message come from people, so they lose what git's format or
 * `git fsck` would trip over: angle brackets, control characters, carriage returns, blank lines at either end.
 */
export function createCommit({ tree, parents, author, at, message }: CommitRequest): {
  id: ObjectId
  object: GitObject
} {
  const signature = createSignature(author, at)
  const content = encodeCommit({
    tree,
    parents: [...new Set(parents)],
    author: signature,
    committer: signature,
    message: cleanMessage(message),
  })
  const object: GitObject = { type: 'commit', content }
  return { id: hashObject(object), object }
}

function createSignature({ name, email }: CommitRequest['author'], at: Date): Signature {
  const seconds = Math.floor(at.getTime() / 1000)
  if (!(seconds >= 0)) throw new Error(`A commit cannot be dated ${at.getTime()}`)
  const cleanEmail = cleanIdentity(email).replaceAll(' ', '')
  const [localPart = ''] = cleanEmail.split('@')
  return { name: cleanIdentity(name) || localPart || 'unknown', email: cleanEmail, seconds, zone: '+0000' }
}

/** Git drops the same characters from the ends of a name, so that `git commit` by the same person looks the same. */
function cleanIdentity(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/[<>]/g, '')
    .replaceAll(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '')
}

function cleanMessage(text: string): string {
  const lines = text
    .toWellFormed()
    .replaceAll('\0', '')
    .split(/\r\n|\r|\n/)
    .map(line => line.trimEnd())
  const first = lines.findIndex(line => line !== '')
  if (first < 0) return ''
  return `${lines.slice(first, lines.findLastIndex(line => line !== '') + 1).join('\n')}\n`
}
