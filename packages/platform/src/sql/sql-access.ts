import type { CatalogModel } from '@hedron/sql'
import type { DataApi } from '../queries/data-api.ts'
import type { DataCaller } from '../queries/data-caller.ts'
import { createSignIn, type SignInNeeds } from './sign-in/sign-in.ts'
import type { SqlSignIn, SqlStartup } from './sign-in/sql-identity.ts'

/** What the SQL protocol needs of the platform beside the statements themselves. */
export interface SqlAccess {
  /** Begins to let somebody in. */
  signIn(startup: SqlStartup): Promise<SqlSignIn>
  /** The catalogs of the model as a caller sees it. @throws {DataError} */
  catalog(caller: DataCaller): Promise<CatalogModel>
}

export function createSqlAccess(need: Omit<SignInNeeds, 'authenticateToken'> & { readonly data: DataApi }): SqlAccess {
  const authenticateToken: SignInNeeds['authenticateToken'] = request => need.data.authenticate(request)
  return {
    signIn: createSignIn({ ...need, authenticateToken }),
    catalog: caller => need.data.operations.catalog(caller),
  }
}
