import { command } from '../framework/command.ts'
import { optional, text } from '../framework/parameter.ts'
import { reportOf } from '../framework/report.ts'
import { type SavedContext, updateConfig } from '../session/config-file.ts'
import { normalizeUrl } from '../session/credentials.ts'
import { sendForm } from '../session/oauth.ts'

export const logout = command({
  details: 'A login through the browser is ended on the server too; an API key is only forgotten.',
  examples: ['hedron logout', 'hedron logout --name production'],
  arguments: {},
  options: { name: optional(text('name'), 'context to remove; the one in use when omitted') },
  async run({ name }, { effects, output }) {
    let target = name ?? 'default'
    let removed: SavedContext | undefined
    await updateConfig(effects, ({ defaultContext, contexts }) => {
      target = name ?? defaultContext ?? 'default'
      removed = contexts.get(target)
      const rest = new Map([...contexts].filter(([key]) => key !== target))
      return { defaultContext: defaultContext === target ? rest.keys().next().value : defaultContext, contexts: rest }
    })
    const revoked = await endLogin(removed)
    output.result({ context: target, removed: removed !== undefined, revoked }, () =>
      output.success(removed ? `Removed context '${target}'` : `No saved credentials for context '${target}'`),
    )

    /** @returns whether the server has ended the login; null where there is nothing to end. */
    async function endLogin(context: SavedContext | undefined): Promise<boolean | null> {
      if (context?.refreshToken === undefined) return null
      try {
        await sendForm(effects, normalizeUrl(context.url), '/auth/oauth2/revoke', { token: context.refreshToken })
        return true
      } catch (error) {
        const reason = reportOf(error).line
        output.progress(
          `warning: the login could not be ended on the server: ${reason}. End it on ${normalizeUrl(context.url)}/auth/account`,
        )
        return false
      }
    }
  },
})
