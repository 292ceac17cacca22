import { gitError } from './git-error.ts'
import { isObjectId, type ObjectId } from './objects.ts'
import { readPackets } from './packet-line.ts'

/** What a client asks of `git-upload-pack`. */
export interface UploadRequest {
  readonly wants: readonly ObjectId[]
  /** Commits that the client says it has. The server may not. */
  readonly haves: readonly ObjectId[]
  readonly capabilities: ReadonlySet<string>
  /** Whether the client has nothing more to say and waits for the pack. */
  readonly done: boolean
}

/**
 * Reads the body of `POST …/git-upload-pack`. It must be unpacked by then: git sends bigger ones with
 * `content-encoding: gzip`.
 *
 * @throws {GitError} `request_malformed`, or `request_unsupported` for shallow and partial clones.
 */
export function parseUploadRequest(body: Uint8Array): UploadRequest {
  const wants = new Set<ObjectId>()
  const haves = new Set<ObjectId>()
  let capabilities: ReadonlySet<string> = new Set()
  let done = false
  for (const line of readPackets(body)) {
    if (line === null) continue
    const [command = '', id = '', ...rest] = line.split(' ')
    switch (command) {
      case 'want':
        if (wants.size === 0) capabilities = new Set(rest)
        wants.add(checkId(id))
        break
      case 'have':
        haves.add(checkId(id))
        break
      case 'done':
        done = true
        break
      case 'shallow':
      case 'deepen':
      case 'deepen-since':
      case 'deepen-not':
        throw gitError('request_unsupported', { feature: 'a part of the history' })
      case 'filter':
        throw gitError('request_unsupported', { feature: 'a part of the objects' })
      default:
        throw gitError('request_malformed', { reason: `${JSON.stringify(line.slice(0, 100))} is no command` })
    }
  }
  return { wants: [...wants], haves: [...haves], capabilities, done }
}

function checkId(id: string): ObjectId {
  if (!isObjectId(id))
    throw gitError('request_malformed', { reason: `${JSON.stringify(id.slice(0, 100))} is no object id` })
  return id
}
