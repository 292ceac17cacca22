import { type Agent, type AgentAnswer, type AgentTurn, noUsage } from '../agent.ts'
import { longestMemory, type Memory } from './memories.ts'
import { readWish } from './read-wish.ts'

/**
 * An agent that remembers what its asker tells it to, in so many words. Nothing else is ever kept: a language model has no tool for it,
 * so that no row, description or page can make it remember something.
 */
export const withMemories = (agent: Agent): Agent => ({
  async answer(turn) {
    const wish = readWish(turn.input)
    if (!wish) return agent.answer(turn)
    const text = await comply(turn, wish)
    turn.say(text)
    const answer: AgentAnswer = { text, memo: turn.memo, usage: noUsage }
    return answer
  },
})

async function comply({ memories }: AgentTurn, wish: NonNullable<ReturnType<typeof readWish>>): Promise<string> {
  if (!memories) return 'This agent keeps no memories: its `memory_mode` is disabled.'
  switch (wish.kind) {
    case 'keep': {
      if (wish.text.length > longestMemory)
        return `I can remember ${longestMemory} characters at a time. Say it shorter.`
      return (await memories.keep(wish.text)) ?? `I shall remember: ${quoted(wish.text)}.`
    }
    case 'list':
      return told(await memories.list())
    case 'forget': {
      if (wish.text === null) return forgotten(await memories.forget('all'))
      const asked = plain(wish.text)
      const own = (await memories.list()).filter(({ isOwn }) => isOwn)
      const exact = own.filter(({ text }) => plain(text) === asked)
      const near = exact.length > 0 ? exact : own.filter(({ text }) => plain(text).includes(asked))
      if (near.length > 1) return `Which one do you mean?\n${near.map(({ text }) => `- ${text}`).join('\n')}`
      return forgotten(await memories.forget(near.map(({ id }) => id)))
    }
  }
}

const quoted = (text: string) => `“${text}”`
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim()

const forgotten = (count: number) =>
  count === 0
    ? 'I remember nothing of the kind for you.'
    : count === 1
      ? 'I have forgotten it.'
      : `I have forgotten all ${count}.`

function told(memories: readonly Memory[]): string {
  if (memories.length === 0) return 'I remember nothing for you yet. Say “remember that …” to have me do so.'
  const lines = memories.map(({ text, isOwn }) => `- ${text}${isOwn ? '' : ' (from a colleague)'}`)
  return `I remember:\n${lines.join('\n')}`
}
