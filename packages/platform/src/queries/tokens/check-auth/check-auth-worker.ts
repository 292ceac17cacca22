// The thread that checks tokens by functions of projects: it is sent a `CheckAuthQuestion` and answers it, one after the other.
import { parentPort } from 'node:worker_threads'
import { loadCheckAuthEngine } from '@hedron/semantic'
import type { CheckAuthAnswer, CheckAuthQuestion } from './check-auth-messages.ts'
import { answerTokenQuestion } from './json-web-token.ts'

/** Messages that come before are kept until somebody listens. */
const engine = await loadCheckAuthEngine()

parentPort?.on('message', (question: CheckAuthQuestion) => parentPort?.postMessage(answer(question)))
parentPort?.postMessage('ready')

function answer({ secrets, ...question }: CheckAuthQuestion): CheckAuthAnswer {
  let endsAt = Number.POSITIVE_INFINITY
  const questions = {
    now: question.now,
    keyOf: (text: string) => secrets.get(text) ?? text,
    ends: (seconds: number) => {
      endsAt = Math.min(endsAt, seconds)
    },
  }
  try {
    const outcome = engine.run({ ...question, verify: asked => answerTokenQuestion(asked, questions) })
    return { outcome, endsAt }
  } catch (fault) {
    return { fault }
  }
}
