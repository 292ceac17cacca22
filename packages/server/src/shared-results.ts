import { randomBytes } from 'node:crypto'
import { openRedisResults, type SharedResults } from '@hedron/query'
import { installation, type Store } from '@hedron/store'

/** The fact in the metadata database by which nodes know that they are of one installation. */
const fact = 'shared results'

/** Where the nodes of this installation share results of queries. */
export async function openSharedResults(options: {
  readonly url: string
  readonly store: Store
  readonly secretKey: Buffer
  readonly warn: (message: string) => void
}): Promise<SharedResults> {
  const { url, store, secretKey, warn } = options
  await installation.claimInstallation(store.kysely, fact, { id: randomBytes(16).toString('hex') })
  const known = await installation.readInstallation(store.kysely, fact)
  return await openRedisResults({ url, secretKey, installation: String(known?.id), randomBytes, now: Date.now, warn })
}
