import type { Store } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { ObjectStore } from '../branches/object-store.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { Effects } from '../effects.ts'

export interface UploadNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly effects: Effects
  readonly findDeployment: FindDeployment
  readonly audit: Audit
  /** Builds that were queued in a transaction can begin. */
  readonly wakeBuilds: () => void
}

/** Either lets a caller upload to a dev branch; a shared one needs the first. */
export const uploadPermissions = ['SchemaUpdate', 'SchemaUpdateDevBranches'] as const
