import type { Scope } from './support/scope.ts'

export type Unit = 'ms' | 'files/s' | 'requests/s' | 'requests' | 'rows/s' | 'kB' | 'MiB'

/** One quantity, measured in rounds. */
export interface Summary {
  readonly rounds: number
  readonly median: number
  readonly p99: number
  readonly minimum: number
  readonly maximum: number
}

/** One row of the table: what Hedron does, beside a peer or a limit that was measured in the same rounds. */
export interface Figure {
  readonly what: string
  readonly unit: Unit
  readonly hedron: Summary
  /** Null where nothing can stand beside it. */
  readonly beside: { readonly what: string; readonly summary: Summary } | null
  readonly goal: Goal | null
  /** How it was measured, or what else is worth knowing; for the JSON and the notes below the table. */
  readonly note?: string
  /** One of the few that the README shows. */
  readonly isHeadline?: boolean
}

export interface Goal {
  readonly text: string
  readonly met: boolean
}

export interface ScenarioContext {
  /** Fewer rounds, for a first look. */
  readonly quick: boolean
  /** What the scenario starts and makes belongs to its scope and goes with it. */
  readonly scope: Scope
  say(message: string): void
}

/** One thing to measure; each can be run alone by its name. */
export interface Scenario {
  readonly name: string
  readonly describes: string
  run(context: ScenarioContext): Promise<readonly Figure[]>
}
