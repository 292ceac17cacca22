import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { suggest } from './suggest.ts'

const openings: readonly (readonly [pattern: RegExp, reply: string])[] = [
  [/^(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|greetings)(?: there)?$/i, 'Hello!'],
  [
    /^(?:thanks?|thank you|many thanks|cheers|great|perfect|cool|nice)(?: (?:a lot|so much|very much|you))?$/i,
    'You are welcome.',
  ],
  [/^(?:bye|goodbye|see you)$/i, 'Goodbye.'],
  [/^(?:who|what) are you$/i, 'I answer questions from this data model, each number by a query that you can see.'],
  [
    /^(?:help|help me|what can (?:i|we) ask(?: you)?|what can you (?:do|answer|tell me)|what do you know|what (?:data )?(?:is there|do you have|do we have)|show me (?:everything|all)|how does this work)$/i,
    'Ask for a number, by what, and when.',
  ],
]

const mostNamed = 4

/** What is said to who only greets, thanks or asks what can be asked; null: it is a question. */
export function smallTalk(
  text: string,
  vocabulary: Vocabulary,
  today: string,
  preferred: readonly string[] | null,
): string | null {
  const said = text
    .trim()
    .replace(/[\s!.?,]+$/, '')
    .replace(/\s+/g, ' ')
  const [, reply] = openings.find(([pattern]) => pattern.test(said)) ?? []
  if (reply === undefined) return null
  const views = vocabulary.sources.filter(({ cube }) => cube.type === 'view')
  const shown = views.length > 0 ? views : vocabulary.sources
  const names = shown.slice(0, mostNamed).map(({ cube }) => cube.title)
  const rest = shown.length > mostNamed ? ` and ${shown.length - mostNamed} more` : ''
  const about =
    names.length > 0
      ? ` There is data on ${names.join(', ')}${rest}.`
      : ' There is nothing in the data model that you may see.'
  const questions = suggest(vocabulary, null, today, preferred)
  const list = questions.map(question => `\n- ${question}`).join('')
  return `${reply}${about}${questions.length > 0 ? `\n\nYou can ask, for example:\n${list}` : ''}`
}
