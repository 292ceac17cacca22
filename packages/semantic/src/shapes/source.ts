/** A file of the project as the branch stores it. `path` uses forward slashes and starts at the project's root. */
export interface SourceFile {
  readonly path: string
  readonly content: string
  /** Where the caller has one, a digest of the content that no other content has: comparing it is cheaper. */
  readonly digest?: string
}

/** A place in a source file. Line and column count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The line of what a template rendered, where the line of the template is not known. */
  readonly renderedLine?: number
}

/** What an author of a model has to fix, and where. `code` is stable, `message` is for people. */
export interface ModelProblem extends Position {
  readonly code: string
  readonly message: string
  /** The cube or view in which it is. Absent outside of both. */
  readonly definition?: string
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }
