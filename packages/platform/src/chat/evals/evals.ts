import type { Store } from '@hedron/store'
import type { Audit } from '../../audit.ts'
import type { FindDeployment } from '../../deployments/find-deployment.ts'
import type { Effects } from '../../effects.ts'
import type { DeploymentRuntimes } from '../../queries/deployment-runtime.ts'
import type { FindBranchAgents } from '../agents/branch-agents.ts'
import { createAskAs } from '../asker/ask-as.ts'
import { createDataCallers } from '../asker/data-callers.ts'
import type { ChooseAgent } from '../choose-agent.ts'
import type { ChatTools } from '../tools/chat-tools.ts'
import { createEvalOperations } from './eval-operations.ts'
import { createEvalRunner } from './eval-runner.ts'

interface EvalsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly runtimes: DeploymentRuntimes
  readonly findBranchAgents: FindBranchAgents
  readonly chooseAgent: ChooseAgent
  readonly tools: ChatTools
  readonly report: (error: unknown) => void
}

/** Evaluations of agents: their operations, and what works through them. */
export function createEvals(need: EvalsNeed) {
  const dataCallers = createDataCallers(need)
  const runner = createEvalRunner({
    ...need,
    askAs: createAskAs({ ...need, dataCallers }),
    timeZoneOf: async deploymentId => (await need.runtimes.find(deploymentId))?.defaultTimezone ?? 'UTC',
  })
  return {
    operations: createEvalOperations({ ...need, wakeEvals: runner.notify }),
    start: runner.start,
    close: runner.close,
  }
}
