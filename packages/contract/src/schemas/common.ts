import * as z from 'zod'

/** An id of a row: a positive integer that JavaScript holds exactly. */
export const Id = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

export const DeploymentParams = z.strictObject({ deploymentId: Id })

/** A moment: ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.string().meta({ format: 'date-time' })

export const ErrorResponse = z
  .object({
    statusCode: z.int(),
    error: z.string().meta({ description: 'The reason phrase of the status.' }),
    message: z.string().meta({ description: 'What is wrong with which value, and what to do.' }),
    code: z.string().meta({ description: 'One code of the table in docs/errors.md.' }),
  })
  .meta({ id: 'Error' })
export type ErrorResponse = z.infer<typeof ErrorResponse>

/** Of an operation that answers 204. */
export const NoContent = z.undefined()

export const SuccessResponse = z.object({ success: z.boolean() })
