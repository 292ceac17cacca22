import type { Position } from './source.ts'
import type { Located } from './tree.ts'

/** What the files of a project's `agents/` folder say (contract/behaviour/chat.md section 7): plain data, every name bound. */
export interface AgentsConfig {
  /** The folder, from the project's root; empty where a project has none. */
  readonly directory: string
  /** `auto` first, which is always there. */
  readonly spaces: readonly SpaceConfig[]
  /** `auto` first, which is always there. */
  readonly agents: readonly AgentConfig[]
  readonly questions: readonly EvalQuestion[]
}

/** A space owns rules, certified queries and skills; the agents in it share them. */
export interface SpaceConfig {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly rules: readonly RuleConfig[]
  readonly certifiedQueries: readonly CertifiedQueryConfig[]
  readonly skills: readonly SkillConfig[]
}

export interface AgentConfig {
  readonly name: string
  readonly space: string
  readonly title: string | null
  readonly description: string | null
  /** `auto`, one of the published names, or a provider of the team's own by name or id. */
  readonly llm: string | { readonly byom: string }
  readonly runtime: 'plain' | 'reasoning'
  /** Null: all. */
  readonly accessibleViews: readonly Located<string>[] | null
  readonly memoryMode: 'space' | 'user' | 'disabled'
}

export interface RuleConfig {
  readonly name: string
  readonly type: 'always' | 'agent_requested'
  readonly description: string | null
  readonly prompt: string
}

export interface CertifiedQueryConfig {
  readonly name: string
  readonly userRequest: string
  readonly sqlQuery: string
  readonly description: string | null
}

export interface SkillConfig {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly instructions: string
}

/** A question whose right answer is known: the rows of a certified query of its space, or of a statement. */
export interface EvalQuestion {
  readonly name: string
  readonly question: string
  readonly space: string
  /** Of its name. */
  readonly at: Position
  readonly truth: { readonly certifiedQuery: string } | { readonly sql: string }
}
