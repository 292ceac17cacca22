import type { Model, ModelProblem } from '@hedron/semantic'
import type { Soon } from '../soon.ts'
import { DataError } from './data-error.ts'

/** The compiled model of one tree. */
export interface CompiledTree {
  /** Git id of the project tree that it was compiled from. */
  readonly tree: string
  readonly model: Model | null
  readonly problems: readonly ModelProblem[]
  readonly cubesCount: number
}

/** What the data API of one branch answers from. */
export interface BranchModel {
  readonly branchId: number
  readonly branchName: string
  /** Null: nothing was built yet. */
  readonly compiled: CompiledTree | null
  /** Whether a first build is still on its way. */
  readonly building: boolean
}

/** Finds what a branch answers from; `branchName` null: production. Undefined where there is no such branch. At once where it is remembered. */
export type FindBranchModel = (
  accountId: number,
  deploymentId: number,
  branchName: string | null,
) => Soon<BranchModel | undefined>

/** The model to ask, or the answer that says why there is none. @throws {DataError} */
export function requireModel(branch: BranchModel): Model {
  const { compiled } = branch
  if (compiled?.model) return compiled.model
  if (compiled === null) {
    if (branch.building) throw new DataError(200, 'Continue wait')
    throw new DataError(500, `Error: branch ${branch.branchName} was not built yet. See its build status.`)
  }
  throw new DataError(500, `Error: Compile errors:\n${describeProblems(compiled.problems)}`, {
    plainError: compiled.problems.map(problem => problem.message).join('\n'),
  })
}

/** Problems by file, in the form in which the field's compiler lists them (contract/behaviour/data-model.md, section 11). */
function describeProblems(problems: readonly ModelProblem[]): string {
  const files = [...new Set(problems.map(problem => problem.file))]
  return files
    .map(file => {
      const lines = problems
        .filter(problem => problem.file === file)
        .map(problem => `  line ${problem.line}, column ${problem.column}: ${inContext(problem)}`)
      return `${file} Errors:\n${lines.join('\n')}`
    })
    .join('\n\n')
}

/** Views are cubes there. */
const inContext = ({ definition, message }: ModelProblem): string =>
  definition === undefined ? message : `${definition} cube: ${message}`
