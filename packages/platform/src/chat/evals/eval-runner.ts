import { setTimeout as sleep } from 'node:timers/promises'
import { CodedError } from '@hedron/contract'
import { evalRuns, type Store } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import { agentSettings } from '../agents/agent-settings.ts'
import type { FindBranchAgents } from '../agents/branch-agents.ts'
import type { AskAs } from '../asker/ask-as.ts'
import type { ChooseAgent } from '../choose-agent.ts'
import type { ChatTools } from '../tools/chat-tools.ts'
import type { QuestionContext } from './ask-question.ts'
import { type Judgement, judgeQuestion } from './judge-question.ts'

interface EvalRunnerNeed {
  readonly store: Store
  readonly effects: Effects
  readonly findBranchAgents: FindBranchAgents
  readonly chooseAgent: ChooseAgent
  readonly tools: ChatTools
  readonly askAs: AskAs
  /** The deployment's zone, in which its questions speak of days. */
  readonly timeZoneOf: (deploymentId: number) => Promise<string>
  readonly report: (error: unknown) => void
  /** How often to look for runs that other nodes queued or left behind, in milliseconds; default 5 seconds. */
  readonly pollMilliseconds?: number
}

/** Works through evaluations in the background; every node of an installation may. */
export interface EvalRunner {
  /** A run was queued: begins with it soon. */
  notify(): void
  start(): void
  /** Stops asking and puts the runs at hand back into the queue. */
  close(): Promise<void>
}

/** Runs that one node works on at once. */
const atOnce = 2
/** A node that says nothing for so long is taken for dead, in milliseconds. */
const leaseMilliseconds = 60_000
const renewMilliseconds = 15_000
/** A run that ended its node so often is given up. */
const mostAttempts = 5
const closeMilliseconds = 5_000

export function createEvalRunner(need: EvalRunnerNeed): EvalRunner {
  const { store, effects, report, pollMilliseconds = 5_000 } = need
  const working = new Set<Promise<void>>()
  const stopping = new AbortController()
  let claiming: Promise<void> | undefined
  let isAsked = false
  let timer: NodeJS.Timeout | undefined

  function notify(): void {
    if (stopping.signal.aborted) return
    isAsked = true
    claiming ??= fill().finally(() => {
      claiming = undefined
      if (isAsked && working.size < atOnce) notify()
    })
  }

  /** Claims runs while there is room; the end of each asks again. */
  async function fill(): Promise<void> {
    isAsked = false
    try {
      while (working.size < atOnce && !stopping.signal.aborted) {
        const now = effects.now()
        const claimed = await evalRuns.claimEvalRun(store.kysely, { now, leasedUntil: lease() })
        if (!claimed) return
        const work = workOn(claimed)
          .catch(report)
          .finally(() => {
            working.delete(work)
            notify()
          })
        working.add(work)
      }
    } catch (error) {
      report(error)
    }
  }

  const lease = () => new Date(effects.now().getTime() + leaseMilliseconds)

  async function workOn(run: evalRuns.EvalRunRow): Promise<void> {
    if (run.attempts > mostAttempts) {
      return end(run, `The run was given up: it was begun ${mostAttempts} times and no node came to its end.`)
    }
    const lost = new AbortController()
    const stop = () => lost.abort(stopping.signal.reason)
    stopping.signal.addEventListener('abort', stop, { once: true })
    const renewal = setInterval(() => {
      evalRuns
        .renewLease(store.kysely, run, lease())
        .then(isOurs => isOurs || lost.abort(new Error('the run is somebody else’s by now')))
        .catch(report)
    }, renewMilliseconds)
    try {
      await askAll(run, lost.signal)
    } catch (error) {
      if (stopping.signal.aborted) await evalRuns.releaseEvalRun(store.kysely, run)
      else if (!lost.signal.aborted) throw error
    } finally {
      clearInterval(renewal)
      stopping.signal.removeEventListener('abort', stop)
    }
  }

  async function askAll(run: evalRuns.EvalRunRow, signal: AbortSignal): Promise<void> {
    const context = await contextOf(run, signal)
    if (typeof context === 'string') return end(run, context)
    const questions = await evalRuns.listResults(store.kysely, run.accountId, run.id)
    for (const question of questions.filter(({ verdict }) => verdict === null)) {
      signal.throwIfAborted()
      const judgement = await judge(question, context)
      await evalRuns.saveResult(store.kysely, question, { ...judgement, finishedAt: effects.now() })
    }
    await end(run, null)
  }

  /** Whom to ask, and how; or why nobody can be. */
  async function contextOf(
    {
      accountId,
      deploymentId,
      branchName,
      agentName,
      id,
      userId,
      credential,
      askerName,
      askerEmail,
    }: evalRuns.EvalRunRow,
    signal: AbortSignal,
  ): Promise<QuestionContext | string> {
    try {
      const found = await need.findBranchAgents(accountId, deploymentId, branchName)
      if (!found) return new CodedError('branch_not_found', { branch: branchName }).message
      const settings = agentSettings(found.config, agentName)
      if (!settings) return new CodedError('agent_not_configured', { agent: agentName, branch: branchName }).message
      const person = { accountId, userId, credential, name: askerName, email: askerEmail }
      return {
        agent: need.chooseAgent(settings, { accountId, deploymentId }),
        settings,
        tools: need.tools,
        user: need.askAs(person, deploymentId, found.isDeployBranch ? null : branchName),
        now: effects.now(),
        timeZone: await need.timeZoneOf(deploymentId),
        requestId: `eval-${id}`,
        signal,
      }
    } catch (error) {
      if (error instanceof CodedError) return error.message
      throw error
    }
  }

  /** A fault of ours is told of one question and keeps none of the others from being asked. */
  async function judge(question: evalRuns.EvalResultRow, context: QuestionContext): Promise<Judgement> {
    try {
      return await judgeQuestion(question, context)
    } catch (error) {
      context.signal.throwIfAborted()
      report(error)
      const detail = 'Something failed on the server, which has logged why.'
      const unknown = { detail, agentSql: null, truthSql: null, answer: null }
      return { verdict: 'error', reason: 'Agent error', ...unknown }
    }
  }

  async function end(run: evalRuns.EvalRunRow, errorText: string | null): Promise<void> {
    const status = errorText === null ? 'completed' : 'failed'
    await evalRuns.finishEvalRun(store.kysely, run, { status, errorText, finishedAt: effects.now() })
  }

  return {
    notify,
    start() {
      timer ??= setInterval(notify, pollMilliseconds).unref()
      notify()
    },
    async close() {
      stopping.abort(new Error('the server stops'))
      clearInterval(timer)
      await claiming
      const done = new AbortController()
      const limit = sleep(closeMilliseconds, undefined, { signal: done.signal }).catch(() => {})
      await Promise.race([Promise.all(working), limit])
      done.abort()
    },
  }
}
