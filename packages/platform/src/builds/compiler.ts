import type { ModelProblem, SourceFile } from '@hedron/semantic'

/** What a compiler makes of the files of a project. */
export interface CompileOutcome {
  /** The model as `writeModel` writes it, which is how it is stored; null when there are problems. */
  readonly model: string | null
  readonly problems: readonly ModelProblem[]
  /** What the author should know though the model compiles. */
  readonly warnings: readonly ModelProblem[]
  readonly cubesCount: number
  /** False where another try could go otherwise, because time or memory ended: not to be kept for long. */
  readonly isFinal: boolean
}

/** The compiler of data models, as the platform sees it: a pure function of the files, wherever it runs. */
export interface Compiler {
  /** Changes whenever the same files could give another model. */
  readonly version: string
  /** Whether it reads the file of this path, from the project's root. */
  isModelFile(path: string): boolean
  /**
   * @param deploymentId whose turn it is: none waits for ever because of another
   * @throws CodedError `rate_limited` where too many wait, `not_ready` when it is closed meanwhile; an error of another kind is a
   *   fault of the compiler
   */
  compile(files: readonly SourceFile[], deploymentId: number): Promise<CompileOutcome>
}
