/** What the reference knows of an OpenAPI document, made once by `readReference`. */
export interface Reference {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly groups: readonly Group[]
  readonly count: number
}

/** The operations under one tag, in the document's order. */
export interface Group {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly operations: readonly Operation[]
}

export interface Operation {
  /** Unique on the page; also the fragment of its deep link. */
  readonly id: string
  /** In capitals. */
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly deprecated: boolean
  readonly access: Access
  readonly parameters: readonly Parameter[]
  readonly body: Body | null
  readonly answers: readonly Answer[]
  readonly refusals: readonly Refusal[]
}

/** Who may call: everyone, any credential, an embed session, an administrator, or holders of one of the permissions. */
export type Access =
  | { readonly kind: 'public' | 'caller' | 'embed' | 'admin' }
  | { readonly kind: 'permission'; readonly anyOf: readonly string[] }

export interface Parameter {
  readonly name: string
  readonly place: string
  readonly required: boolean
  readonly deprecated: boolean
  readonly description: string
  readonly schema: unknown
}

export interface Body {
  readonly mediaType: string
  readonly required: boolean
  readonly schema: unknown
}

/** A response that is no error. */
export interface Answer {
  readonly status: string
  readonly description: string
  readonly mediaType: string
  /** Undefined: the answer has no body. */
  readonly schema: unknown
}

/** An error response, its codes taken out of the description. */
export interface Refusal {
  readonly status: string
  readonly meaning: string
  readonly codes: readonly string[]
  readonly schema: unknown
}

/** One schema in words. What is below it is looked up by `childrenOf` when it is opened. */
export interface SchemaNode {
  readonly type: string
  readonly description: string
  /** Limits in words, such as `1 to 100 items`. */
  readonly limits: readonly string[]
  /** The only values allowed: as they are where all are strings, else as JSON. Empty where any is. */
  readonly values: readonly string[]
  readonly deprecated: boolean
  /** Names the schema that this one is inside of; such a node has no children. */
  readonly recursive: string | null
  readonly expandable: boolean
  /** The schema with its references followed, for `childrenOf`. */
  readonly settled: Settled
}

export interface SchemaChild {
  /** A property's name, or for an alternative its number. */
  readonly name: string
  readonly kind: 'property' | 'alternative'
  readonly required: boolean
  readonly node: SchemaNode
}

/** A schema after references, `allOf` and `null` alternatives were resolved. */
export interface Settled {
  readonly schema: Readonly<Record<string, unknown>>
  /** Component name, if it was referred to. */
  readonly name: string | null
  readonly nullable: boolean
  /** References followed so far, against cycles. */
  readonly trail: readonly string[]
  readonly recursive: string | null
  /** A reference that leads nowhere. */
  readonly missing: string | null
}

/** What the address of the page says. */
export interface Place {
  readonly filter: string
  /** Operation id or section, from the fragment. */
  readonly target: string
}

/** `silent`: nothing answers. */
export type HealthKey = 'ready' | 'starting' | 'silent'
