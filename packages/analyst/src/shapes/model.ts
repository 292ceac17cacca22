/** The model as the asker may see it: what the platform hands over, in the parts that questions are understood by. */
export interface AnalystModel {
  readonly cubes: readonly AnalystCube[]
}

export interface AnalystCube {
  readonly name: string
  readonly type: 'cube' | 'view'
  readonly title: string
  readonly description: string | null
  readonly aiContext: string | null
  /** Of cubes: other cubes whose dimensions can be asked beside its measures, nearest first. */
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
  readonly synonyms: readonly string[]
  readonly kind: 'measure' | 'dimension' | 'segment'
  readonly type: 'string' | 'number' | 'time' | 'boolean' | 'geo'
  /** Of measures: `count`, `countDistinct`, `sum`, `avg`, `number`, … */
  readonly aggType: string | null
  readonly format: string | null
  readonly currency: string | null
  readonly primaryKey: boolean
  readonly granularities: readonly string[]
  /** All values it can have, where the model says so. */
  readonly values: readonly string[] | null
}
