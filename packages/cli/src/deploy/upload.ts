import type { Effects } from '../effects.ts'
import { isTransient } from '../framework/wait.ts'
import { encodeForm, type FormPart } from '../session/http.ts'
import type { Session } from '../session/session.ts'
import { type HashedFile, hashOf, readBytes } from './collect-files.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { batchesOf } from './plan.ts'

interface Upload {
  readonly deploymentId: number
  readonly transaction: unknown
  readonly files: readonly HashedFile[]
  /** Called after each batch with how many files have arrived so far. */
  readonly onProgress: (uploaded: number) => void
}

const batchesAtOnce = 4
/** Sending a file into a transaction twice changes nothing, so a passing disturbance is worth another try. */
const mostAttempts = 3
const firstPause = 500

/**
 * Sends files into an open transaction, many in a request and some requests at a time. Gives the hashes of the bytes that were
 * sent, which differ from the ones before where a file was edited meanwhile.
 */
export async function uploadFiles(
  { client }: Session,
  effects: Pick<Effects, 'sleep' | 'signal' | 'randomId'>,
  { deploymentId, transaction, files, onProgress }: Upload,
): Promise<ReadonlyMap<string, string>> {
  const failed = new AbortController()
  let uploaded = 0
  const sent = await mapConcurrently(batchesOf(files), batchesAtOnce, async batch => {
    try {
      const contents = batch.map(({ path, location }) => ({ path, bytes: readBytes(location) }))
      const body = encodeForm(formOf(transaction, contents), `hedron-${effects.randomId()}`)
      await withAttempts(effects, failed.signal, () =>
        client.uploadFile({ params: { deploymentId }, body }, failed.signal),
      )
      uploaded += batch.length
      onProgress(uploaded)
      return contents.map(({ path, bytes }) => [path, hashOf(bytes)] as const)
    } catch (error) {
      failed.abort()
      throw error
    }
  })
  return new Map(sent.flat())
}

/** `transaction`, then each file as a part named `file` with its path as file name; one file alone names it in `fileName`. */
function formOf(
  transaction: unknown,
  contents: readonly { readonly path: string; readonly bytes: Buffer<ArrayBuffer> }[],
): readonly FormPart[] {
  const head = { name: 'transaction', content: JSON.stringify(transaction) }
  const [first] = contents
  if (first !== undefined && contents.length === 1) {
    const fileName = { name: 'fileName', content: first.path }
    return [head, fileName, { name: 'file', fileName: 'file', content: first.bytes }]
  }
  return [head, ...contents.map(({ path, bytes }) => ({ name: 'file', fileName: path, content: bytes }))]
}

async function withAttempts<T>(
  effects: Pick<Effects, 'sleep' | 'signal'>,
  failed: AbortSignal,
  send: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (attempt === mostAttempts || failed.aborted || !isTransient(error)) throw error
      await effects.sleep(firstPause * 2 ** (attempt - 1), effects.signal)
    }
  }
}
