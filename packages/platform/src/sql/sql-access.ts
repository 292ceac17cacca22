import type { CatalogModel } from '@hedron/sql'
import type { DataApi } from '../queries/data-api.ts'
import type { DataCaller } from '../queries/data-caller.ts'
import type { CatalogAnswers } from './catalog/catalog-answers.ts'
import { createSignIn, type SignInNeeds } from './sign-in/sign-in.ts'
import type { SqlSignIn, SqlStartup } from './sign-in/sql-identity.ts'
import { switchUser } from './sign-in/switch-user.ts'
import type { SqlOperations } from './sql-operations.ts'

/** What the SQL protocol needs of the platform beside the statements themselves. */
export interface SqlAccess {
  /** Begins to let somebody in. */
  signIn(startup: SqlStartup): Promise<SqlSignIn>
  /** The catalogs of the model as a caller sees it. @throws {DataError} */
  catalog(caller: DataCaller): Promise<CatalogModel>
  /** Statements over those catalogs. */
  readonly catalogs: CatalogAnswers
  /** Statements over the model's data. */
  readonly statements: SqlOperations
  /** Somebody else of the same deployment; to be asked for those only who may. */
  switchUser(caller: DataCaller, name: string): DataCaller
}

export function createSqlAccess(
  need: Omit<SignInNeeds, 'findBearer'> & { readonly data: DataApi; readonly catalogs: CatalogAnswers },
): SqlAccess {
  return {
    signIn: createSignIn({ ...need, findBearer: need.data.findBearer }),
    catalog: caller => need.data.operations.catalog(caller),
    catalogs: need.catalogs,
    statements: need.data.operations.statements,
    switchUser,
  }
}
