import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { listOf, OffsetPagination } from './page.ts'

export const EnvironmentType = z
  .enum(['production', 'staging', 'development'])
  .meta({ id: 'DeploymentEnvironmentType' })
export type EnvironmentType = z.infer<typeof EnvironmentType>

export const ApiCredential = z
  .object({
    type: z.enum(['rest', 'sql']),
    version: z.int().min(1),
    url: z.string().nullable(),
    host: z.string().nullable(),
    port: z.int().min(1).nullable(),
    database: z.string().nullable(),
  })
  .meta({ id: 'DeploymentEnvironmentApiCredential' })

export const Environment = z
  .object({
    id: z.string(),
    type: EnvironmentType,
    branch: z.string().nullable(),
    user: z.string().nullable(),
    api_credentials: z.array(ApiCredential),
  })
  .meta({ id: 'DeploymentEnvironment' })
export type Environment = z.infer<typeof Environment>

export const EnvironmentsListResponse = listOf(Environment)
  .extend({ pagination: OffsetPagination.nullable().meta({ deprecated: true }) })
  .meta({ id: 'DeploymentEnvironmentsListResponse' })

export const SecurityContext = z.record(z.string(), z.unknown())

export const CreateEnvironmentTokenInput = z
  .strictObject({
    security_context: SecurityContext,
    expires_in: z.int().min(1).max(3600).nullish().meta({ description: 'Seconds; 3,600 when omitted.' }),
    scopes: z.array(z.enum(['meta', 'data', 'sql', 'graphql', 'sql-runner'])).nullish(),
  })
  .meta({ id: 'CreateDeploymentEnvironmentTokenInput' })
export type CreateEnvironmentTokenInput = z.infer<typeof CreateEnvironmentTokenInput>

export const EnvironmentToken = z
  .object({
    token: z.string(),
    security_context: SecurityContext,
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'DeploymentEnvironmentToken' })
export type EnvironmentToken = z.infer<typeof EnvironmentToken>

export const EnvironmentTokenResponse = z
  .object({ data: EnvironmentToken })
  .meta({ id: 'DeploymentEnvironmentTokenResponse' })

export const EnvironmentTokensListResponse = listOf(EnvironmentToken)
  .extend({ pagination: OffsetPagination.nullable().meta({ deprecated: true }) })
  .meta({ id: 'DeploymentEnvironmentTokensListResponse' })

export const EnvVariable = z.object({ name: z.string(), value: z.string() }).meta({ id: 'EnvVariableItem' })
export type EnvVariable = z.infer<typeof EnvVariable>

export const EnvVariablesListResponse = listOf(EnvVariable).meta({ id: 'EnvVariablesListResponse' })

export const SetEnvVariablesInput = z
  .strictObject({
    env_variables: z
      .array(z.strictObject({ name: z.string().min(1).max(255), value: z.string().max(65_536) }))
      .min(1)
      .max(1000),
  })
  .meta({ id: 'SetEnvVariablesInput' })

export const Region = z
  .object({
    id: Id,
    name: z.string(),
    title: z.string().nullable(),
    provider: z.string().nullable(),
    isDedicated: z.boolean().nullable(),
    isHybrid: z.boolean().nullable(),
    isPublic: z.boolean().nullable(),
    useAiEngineer: z.boolean().nullable(),
  })
  .meta({ id: 'RegionResponse' })

export const RegionsListResponse = listOf(Region).meta({ id: 'RegionsListResponse' })
