import type { Store } from '@hedron/store'
import type { Audit } from '../../audit.ts'
import type { Effects } from '../../effects.ts'

export interface TenantsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
}
