import type { ModelProblem } from '@hedron/semantic'

/** What the worker answers to the files of a project: a model as JSON or problems, or what the compiler itself failed of. */
export type CompileAnswer =
  | { readonly model: string | null; readonly problems: readonly ModelProblem[]; readonly cubesCount: number }
  | { readonly fault: unknown }
