import type { CompileOutcome } from './compiler.ts'

/** What the worker answers to the files of a project: a model as JSON or problems, or what the compiler itself failed of. */
export type CompileAnswer = Omit<CompileOutcome, 'isFinal'> | { readonly fault: unknown }
