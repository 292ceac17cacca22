import { type Executor, embedSecrets } from '@hedron/store'
import { type Effects, randomId } from '../effects.ts'
import { seal, unseal } from '../seal.ts'

/** For how long a secret that was rotated still verifies: as long as the longest token that it signed. */
export const retiredSecretMs = 24 * 3_600_000

/** What embed tokens are signed with. */
export interface EmbedSecret {
  /** `kid` of the tokens. */
  readonly id: string
  readonly key: Buffer
}

/** Secrets of accounts for embed tokens: 256 random bits, sealed at rest, apart from the secrets of deployments. */
export function createEmbedSecrets({ effects, secretKey }: { effects: Effects; secretKey: Buffer }) {
  const purpose = (accountId: number, id: string) => `embed secret ${accountId} ${id}`
  const open = (accountId: number, id: string, sealed: Buffer) =>
    Buffer.from(unseal(secretKey, purpose(accountId, id), sealed), 'base64url')

  function create(accountId: number) {
    const id = randomId(effects)
    const sealed = seal(secretKey, purpose(accountId, id), effects.randomBytes(32).toString('base64url'), effects)
    return { id, accountId, sealed, createdAt: effects.now() }
  }

  return {
    open,

    /** The secret that signs now; made when it is first needed. */
    async current(executor: Executor, accountId: number): Promise<EmbedSecret> {
      const found = await embedSecrets.findCurrentSecret(executor, accountId)
      if (!found) await embedSecrets.ensureCurrentSecret(executor, create(accountId))
      const row = found ?? (await embedSecrets.findCurrentSecret(executor, accountId))
      if (!row) throw new Error(`account ${accountId} has no embed secret`)
      return { id: row.id, key: open(accountId, row.id, row.sealed) }
    },

    /**
     * Makes another secret the one that signs. To be called in a transaction.
     *
     * @param revokeExisting what was signed before is refused at once; else for as long as it is valid.
     * @returns id of the new one.
     */
    async rotate(executor: Executor, accountId: number, revokeExisting: boolean): Promise<string> {
      const now = effects.now()
      const retiredBy = revokeExisting ? now : new Date(now.getTime() - retiredSecretMs)
      await embedSecrets.lockSecrets(executor, accountId)
      await embedSecrets.retireCurrentSecret(executor, accountId, now)
      await embedSecrets.deleteRetiredSecrets(executor, accountId, retiredBy)
      const created = create(accountId)
      await embedSecrets.ensureCurrentSecret(executor, created)
      return created.id
    },
  }
}
export type EmbedSecrets = ReturnType<typeof createEmbedSecrets>
