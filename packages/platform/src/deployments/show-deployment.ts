import {
  CloudProvider,
  CreationMethod,
  CreationStep,
  CspsConfig,
  DeployMode,
  type Deployment,
  type DeploymentSettings,
  ReleaseChannel,
  Template,
} from '@hedron/contract'
import type { deployments } from '@hedron/store'

/** Base address of the data API of a deployment. */
export const deploymentUrl = (baseUrl: string, id: number): string => `${baseUrl}/data/${id}`

/** Base address of the data API of one branch of it. */
export const branchUrl = (baseUrl: string, id: number, branchName: string | null): string =>
  `${deploymentUrl(baseUrl, id)}${branchName === null ? '' : `/dev-mode/${branchName}`}`

export const showDeployment = (row: deployments.DeploymentRow, baseUrl: string): Deployment => ({
  id: row.id,
  name: row.name,
  deploymentUrl: deploymentUrl(baseUrl, row.id),
  creationStep: CreationStep.parse(row.creationStep),
})

/** All settings in one payload; secrets are not among them. */
export const showSettings = (row: deployments.DeploymentWithBranch, baseUrl: string): DeploymentSettings => ({
  ...showDeployment(row, baseUrl),
  creationMethod: row.creationMethod === null ? null : CreationMethod.parse(row.creationMethod),
  cloudProvider: CloudProvider.parse(row.cloudProvider),
  region: row.region,
  targetPlatform: row.targetPlatform,
  isManaged: row.isManaged,
  template: Template.parse(row.template),
  templateVariables: row.templateVariables,
  deployMode: DeployMode.parse(row.deployMode),
  repoType: 'deployRepo',
  deployBranchName: row.deployBranchName,
  deployBranchReadOnly: row.deployBranchReadOnly,
  deployBranchMergeAllowed: row.deployBranchMergeAllowed,
  deployProjectRoot: row.deployProjectRoot,
  releaseChannel: ReleaseChannel.parse(row.releaseChannel),
  releaseChannelVersion: row.releaseChannelVersion,
  releaseChannelVersionHold: row.releaseChannelVersionHold,
  cubeImageVersion: row.releaseChannelVersion,
  cubeImageCloud: null,
  customDomain: row.customDomain,
  autoDomain: null,
  isCubeSqlEnabled: false,
  isSupportPreAggregations: false,
  isCold: false,
  launchpadTabs: row.launchpadTabs,
  defaultLaunchpadViewGroup: row.defaultLaunchpadViewGroup,
  cspsConfig: row.cspsConfig === null ? null : CspsConfig.parse(row.cspsConfig),
  serviceAuthEnabled: row.serviceAuthEnabled,
})
