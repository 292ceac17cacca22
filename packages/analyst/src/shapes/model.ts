/** The model as one asker may see it: what agents search and what their questions are made of. Nothing hidden from him is in it. */
export interface AnalystModel {
  readonly cubes: readonly AnalystCube[]
}

export interface AnalystCube {
  readonly name: string
  readonly type: 'cube' | 'view'
  readonly title: string
  readonly description: string | null
  /** What the model's author tells agents (`meta.ai_context`). */
  readonly aiContext: string | null
  /** Of cubes: other cubes whose dimensions can be asked beside its measures, those that its joins lead to, nearest first. */
  readonly joins: readonly string[]
  readonly members: readonly AnalystMember[]
}

export interface AnalystMember {
  /** `cube.member` or `view.member`. */
  readonly name: string
  readonly title: string
  readonly shortTitle: string
  readonly description: string | null
  readonly aiContext: string | null
  /** Other words for it, from `meta.synonyms` or `meta.ai_context.synonyms`. */
  readonly synonyms: readonly string[]
  readonly kind: 'measure' | 'dimension' | 'segment'
  readonly type: 'string' | 'number' | 'time' | 'boolean' | 'geo'
  /** Of measures: `count`, `sum`, `avg`, `number`, … */
  readonly aggType: string | null
  /** As the model says it: `percent`, `currency`, …; null where it says nothing. */
  readonly format: string | null
  readonly currency: string | null
  readonly primaryKey: boolean
  /** Of time dimensions: names of grains of the model's own beside the usual ones. */
  readonly granularities: readonly string[]
  /** Of switch dimensions and the like: all values it can have; null where the model does not say. */
  readonly values: readonly string[] | null
}
