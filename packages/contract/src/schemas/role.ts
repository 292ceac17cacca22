import * as z from 'zod'
import { Policy } from '../permissions.ts'
import { Id } from './common.ts'
import { listOf } from './page.ts'

export const Role = z
  .object({ id: Id, name: z.string(), description: z.string().nullable(), policies: z.array(Policy) })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof Role>

export const RolesListResponse = listOf(Role).meta({ id: 'RolesListResponse' })

const RoleName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')

/** Ids of deployments are checked for their shape alone: one that is not there grants nothing. */
const RolePolicies = z
  .array(Policy)
  .max(200)
  .superRefine((policies, context) => {
    policies.forEach((policy, index) => {
      if (policy.resourceType !== 'Deployment') return
      policy.resources.forEach((resource, place) => {
        if (resource === 'All' || /^[1-9]\d{0,15}$/.test(resource)) return
        const message = 'must be the id of a deployment, or All'
        context.addIssue({ code: 'custom', path: [index, 'resources', place], message, input: resource })
      })
    })
  })

export const RoleCreateBody = z
  .strictObject({ name: RoleName, description: z.string().max(255).nullish(), policies: RolePolicies })
  .meta({ id: 'RoleCreateBody' })

export const RoleUpdateBody = z
  .strictObject({
    name: RoleName.optional(),
    description: z.string().max(255).nullish().meta({ description: 'null clears it.' }),
    policies: RolePolicies.optional().meta({ description: 'Replaces the whole list.' }),
  })
  .meta({ id: 'RoleUpdateBody', description: 'What is left out stays.' })
