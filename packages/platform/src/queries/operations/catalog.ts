import type { CatalogModel } from '@hedron/sql'
import { createCatalogRelations } from '../../sql/catalog/catalog-relations.ts'
import { requireScope } from '../authenticate-data.ts'
import { requireModel } from '../branch-models.ts'
import type { DataCaller } from '../data-caller.ts'
import { contextOf } from '../understand.ts'
import type { OperationNeeds } from './operation-needs.ts'

/** The model as `pg_catalog` and `information_schema` show it to a caller. */
export function createCatalog({ effects, findBranch }: OperationNeeds) {
  const relationsOf = createCatalogRelations()
  return async (caller: DataCaller): Promise<CatalogModel> => {
    requireScope(caller, 'data')
    return relationsOf(requireModel(await findBranch(caller)), contextOf(caller, effects.now()))
  }
}
