import type { DataCaller } from '../../queries/data-caller.ts'

/**
 * Who is meant by `SET USER` and `__user` (contract/behaviour/query.md section 7): somebody of whom nothing but the name is known.
 * He has no groups and no attributes; models read the name as `user` of the security context.
 */
export function switchUser(caller: DataCaller, name: string): DataCaller {
  return {
    ...caller,
    securityContext: { user: name, cubeCloud: { username: name, groups: [], userAttributes: {} } },
    groups: [],
    userAttributes: {},
  }
}
