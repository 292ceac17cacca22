import * as z from 'zod'
import { ValidationError } from './data-model.ts'

const paths = z.array(z.string())
const members = z.array(z.string())

/** What a change of a data model would do, before it is made. */
export const ModelPlan = z
  .object({
    branchName: z.string().meta({ description: 'The branch that would change.' }),
    planName: z.string().nullable().meta({
      description:
        'The model as it would be answers the data API under this name, as a branch does, for an hour: …/dev-mode/{planName}/…. Null where it does not compile.',
    }),
    files: z.object({ added: paths, changed: paths, removed: paths }).meta({ id: 'PlannedFiles' }),
    members: z
      .object({
        added: members,
        changed: members.meta({ description: 'Whose own definition changes: cube, cube.member, view or view.member.' }),
        removed: members,
        affected: members.meta({ description: 'Whose own definition stays, and that refer to one that does not.' }),
      })
      .meta({ id: 'PlannedMembers' }),
    valid: z.boolean(),
    errors: z.array(ValidationError),
  })
  .meta({ id: 'ModelPlanResponse' })
export type ModelPlan = z.infer<typeof ModelPlan>
