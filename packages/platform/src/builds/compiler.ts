import type { Model, ModelProblem, SourceFile } from '@hedron/semantic'

/** What a compiler makes of the files of a project. */
export interface CompiledModel {
  /** Null when there are problems. */
  readonly model: Model | null
  readonly problems: readonly ModelProblem[]
  readonly cubesCount: number
}

/** The compiler of data models, as the platform sees it: pure, and replaceable by one that runs in a worker. */
export interface Compiler {
  /** Changes whenever the same files could give another model. */
  readonly version: string
  /** Whether it reads the file of this path, from the project's root. */
  isModelFile(path: string): boolean
  compile(files: readonly SourceFile[]): CompiledModel | Promise<CompiledModel>
}
