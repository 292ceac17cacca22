import { command } from '../../framework/command.ts'
import { required, rowId } from '../../framework/parameter.ts'

export const signInLink = command({
  details:
    'The link works once, for 24 hours. Whoever opens it chooses the password and is signed in: hand it to the user alone.',
  examples: ['hedron users sign-in-link 7'],
  arguments: { user: required(rowId, 'id of the user; hedron users list shows it') },
  options: {},
  async run({ user }, { output, session }) {
    const link = await (await session()).client.createSignInLink({ params: { id: user } })
    output.result(link, () => {
      output.line(link.url)
      output.progress(`Good once, until ${link.expiresAt}`, 'dim')
    })
  },
})
