import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { listOf, OffsetPagination } from './page.ts'

export const CreationStep = z
  .enum(['project', 'upload', 'schema', 'github', 'ssh', 'databases', 'ready', 'demo'])
  .meta({ id: 'CreationStep' })
export type CreationStep = z.infer<typeof CreationStep>

export const CloudProvider = z.enum(['cubecloud', 'aws', 'gcp'])
export const CreationMethod = z.enum(['upload', 'cubecloud', 'github', 'ssh'])
export const DeployMode = z.enum(['git', 'cli'])
export const ReleaseChannel = z.enum(['latest', 'release'])
export type ReleaseChannel = z.infer<typeof ReleaseChannel>
export const Template = z.enum(['single', 'simpleCluster', 'multiCluster'])

export const DeploymentName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')

export const Deployment = z
  .object({
    id: Id,
    name: z.string(),
    deploymentUrl: z.string().meta({ description: 'Base address of the data API of this deployment.' }),
    creationStep: CreationStep,
  })
  .meta({ id: 'Deployment' })
export type Deployment = z.infer<typeof Deployment>

export const DeploymentsListResponse = listOf(Deployment)
  .extend({
    count: z.int().min(0).nullable().optional().meta({ deprecated: true }),
    totalCount: z.int().min(0).nullable().optional().meta({ deprecated: true }),
    pagination: OffsetPagination.meta({ deprecated: true }),
  })
  .meta({ id: 'DeploymentsListResponse' })
export type DeploymentsListResponse = z.infer<typeof DeploymentsListResponse>

export const CspsConfig = z
  .strictObject({
    enabled: z.boolean(),
    storageProvider: z.string(),
    awsRoleArn: z.string().nullish(),
    azureClientId: z.string().nullish(),
    azureContainer: z.string().nullish(),
    azureStorageAccount: z.string().nullish(),
    azureTenantId: z.string().nullish(),
    gcpServiceAccountEmail: z.string().nullish(),
    gcpWorkloadIdentityProvider: z.string().nullish(),
    gcsBucket: z.string().nullish(),
    s3Bucket: z.string().nullish(),
    s3Region: z.string().nullish(),
    s3Sse: z.string().nullish(),
  })
  .meta({ id: 'CspsConfig', description: 'Storage for rollups that the customer owns.' })
export type CspsConfig = z.infer<typeof CspsConfig>

export const CreateDeploymentInput = z
  .strictObject({
    name: DeploymentName,
    region: z.string().optional(),
    cloudProvider: CloudProvider.optional(),
    isManaged: z.boolean().optional(),
    targetPlatform: z.string().optional(),
    creationStep: CreationStep.optional(),
    creationMethod: CreationMethod.nullish(),
    deployMode: DeployMode.nullish(),
    cspsConfig: CspsConfig.nullish(),
  })
  .meta({ id: 'CreateDeploymentInput' })
export type CreateDeploymentInput = z.infer<typeof CreateDeploymentInput>

export const UpdateDeploymentInput = z
  .strictObject({
    name: DeploymentName.nullish(),
    region: z.string().nullish(),
    cloudProvider: CloudProvider.nullish(),
    creationMethod: CreationMethod.nullish(),
    deployMode: DeployMode.nullish(),
    template: Template.nullish(),
    templateVariables: z.record(z.string(), z.unknown()).nullish(),
    releaseChannel: ReleaseChannel.nullish(),
    releaseChannelVersion: z.string().nullish(),
    releaseChannelVersionHold: z.boolean().nullish(),
    deployBranchName: z.string().nullish(),
    deployBranchReadOnly: z.boolean().nullish(),
    deployBranchMergeAllowed: z.boolean().nullish(),
    deployProjectRoot: z.string().nullish(),
    customDomain: z.string().nullish(),
    defaultLaunchpadViewGroup: z.string().nullish(),
    launchpadTabs: z.array(z.string()).nullish(),
    cspsConfig: CspsConfig.nullish(),
    serviceAuthEnabled: z.boolean().nullish().meta({
      description: "Whether the chat API takes the deployment's own tokens (X-Service-Auth-Token). Default false.",
    }),
  })
  .meta({ id: 'UpdateDeploymentInput' })
export type UpdateDeploymentInput = z.infer<typeof UpdateDeploymentInput>

export const DeploymentSettings = z
  .object({
    id: Id,
    name: z.string(),
    deploymentUrl: z.string(),
    creationStep: CreationStep,
    creationMethod: CreationMethod.nullable(),
    cloudProvider: CloudProvider,
    region: z.string().nullable(),
    targetPlatform: z.string().nullable(),
    isManaged: z.boolean().nullable(),
    template: Template,
    templateVariables: z.record(z.string(), z.unknown()).nullable(),
    deployMode: DeployMode.nullable(),
    repoType: z.enum(['git', 'deployRepo']).nullable(),
    deployBranchName: z.string(),
    deployBranchReadOnly: z.boolean(),
    deployBranchMergeAllowed: z.boolean(),
    deployProjectRoot: z.string(),
    releaseChannel: ReleaseChannel,
    releaseChannelVersion: z.string().nullable(),
    releaseChannelVersionHold: z.boolean().nullable(),
    cubeImageVersion: z.string().nullable(),
    cubeImageCloud: z.string().nullable(),
    customDomain: z.string().nullable(),
    autoDomain: z.string().nullable(),
    isCubeSqlEnabled: z.boolean(),
    isSupportPreAggregations: z.boolean(),
    isCold: z.boolean().nullable(),
    launchpadTabs: z.array(z.string()).nullable(),
    defaultLaunchpadViewGroup: z.string().nullable(),
    cspsConfig: CspsConfig.nullable(),
    serviceAuthEnabled: z.boolean(),
  })
  .meta({ id: 'DeploymentSettings' })
export type DeploymentSettings = z.infer<typeof DeploymentSettings>

export const DeploymentDeleteResponse = z.object({ success: z.boolean() }).meta({ id: 'DeploymentDeleteResponse' })

export const DeploymentVersion = z
  .object({
    version: z.string(),
    releaseChannel: ReleaseChannel,
    releaseChannelVersion: z
      .string()
      .meta({ description: 'The form to pass to PUT /api/v1/deployments/{deploymentId}.' }),
    isLatestInChannel: z.boolean(),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'DeploymentVersion' })
export type DeploymentVersion = z.infer<typeof DeploymentVersion>

export const DeploymentVersionsResponse = listOf(DeploymentVersion).meta({ id: 'DeploymentVersionsResponse' })

export const CreateDeploymentTokenInput = z
  .strictObject({
    expiresIn: z.int().min(60).max(86_400).nullish().meta({ description: 'Seconds; 86,400 when omitted.' }),
  })
  .meta({ id: 'CreateDeploymentTokenInput' })

export const DeploymentTokenResponse = z.object({ cubeApiToken: z.string() }).meta({ id: 'DeploymentTokenResponse' })

export const AdvanceCreationStepInput = z
  .strictObject({ creationStep: CreationStep })
  .meta({ id: 'AdvanceCreationStepInput' })

/** `none`: never built; `stopped`: not running because nobody views it. */
export const BuildStatus = z.enum(['built', 'building', 'warmup', 'failed', 'cancelled', 'stopped', 'none'])
export type BuildStatus = z.infer<typeof BuildStatus>

export const BuildStatusResponse = z
  .object({
    deploymentId: Id,
    branchName: z.string(),
    mode: z.string().meta({ description: 'production, staging or dev_mode' }),
    status: BuildStatus,
    buildJobId: z.int().nullable(),
    errorText: z.string().nullable(),
    deploymentStatus: z.string().nullable().meta({ description: 'What production serves: running, or none.' }),
    filesHash: z.string().nullable().meta({ description: 'Git id of the tree that this status speaks of.' }),
    lastHash: z.string().nullable().meta({ description: 'Git id of the newest commit of the branch.' }),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: 'BuildStatusResponse' })
export type BuildStatusResponse = z.infer<typeof BuildStatusResponse>
