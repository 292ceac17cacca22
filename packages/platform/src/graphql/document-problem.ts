import type { GraphQLFormattedError } from 'graphql'

/** A document that cannot be answered, in the errors that GraphQL's clients read. */
export class DocumentProblem extends Error {
  readonly errors: readonly GraphQLFormattedError[]

  constructor(errors: readonly GraphQLFormattedError[]) {
    super(errors[0]?.message ?? 'the document cannot be answered')
    this.name = 'DocumentProblem'
    this.errors = errors
  }
}

export const problem = (message: string): DocumentProblem => new DocumentProblem([{ message }])
