import type { Store } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { Effects } from '../effects.ts'

/** What the operations on users, roles, groups and attributes are made with. */
export interface PeopleNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
}
