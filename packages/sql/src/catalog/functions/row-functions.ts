import { CatalogError } from '../catalog-error.ts'
import { elementOf } from '../values/types.ts'
import { isArray, type Value } from '../values/value.ts'
import type { RowsDefinition } from './definitions.ts'

const mostRows = 100_000

const single = (name: string, type: string | ((types: readonly string[]) => string)) => (types: readonly string[]) => ({
  names: [name],
  types: [typeof type === 'string' ? type : type(types)],
})
const listOf = (value: Value | undefined): readonly Value[] => (value !== undefined && isArray(value) ? value : [])

function series(from: number, to: number, by: number): readonly (readonly Value[])[] {
  if (by === 0) throw new CatalogError('22023', 'step size cannot equal zero')
  const count = Math.max(0, Math.floor((to - from) / by) + 1)
  if (count > mostRows) throw new CatalogError('54001', `generate_series gives more than ${mostRows} rows`)
  return Array.from({ length: count }, (_, index) => [from + index * by])
}

/** Functions that give rows; no other can be called. */
export const rowFunctions: readonly RowsDefinition[] = [
  {
    name: 'generate_series',
    takes: ['int4', 'int4'],
    columns: single('generate_series', 'int4'),
    run: ([from, to]) => series(Number(from), Number(to), 1),
  },
  {
    name: 'generate_series',
    takes: ['int4', 'int4', 'int4'],
    columns: single('generate_series', 'int4'),
    run: ([from, to, by]) => series(Number(from), Number(to), Number(by)),
  },
  ...['generate_subscripts'].map(
    (name): RowsDefinition => ({
      name,
      takes: ['list', 'int4'],
      columns: single(name, 'int4'),
      run: ([list], { types }) => {
        const base = types[0] === 'int2vector' || types[0] === 'oidvector' ? 0 : 1
        return listOf(list).map((_, index) => [index + base])
      },
    }),
  ),
  {
    name: 'unnest',
    takes: ['list'],
    columns: single('unnest', ([type = '_text']) => elementOf(type)),
    run: ([list]) => listOf(list).map(item => [item]),
  },
  {
    // `information_schema._pg_expandarray`: each element with its place.
    name: '_pg_expandarray',
    takes: ['list'],
    columns: ([type = '_text']) => ({ names: ['x', 'n'], types: [elementOf(type), 'int4'] }),
    run: ([list]) => listOf(list).map((item, index) => [item, index + 1]),
  },
  {
    name: 'pg_get_keywords',
    takes: [],
    columns: () => ({
      names: ['word', 'catcode', 'barelabel', 'catdesc', 'baredesc'],
      types: ['text', 'char', 'bool', 'text', 'text'],
    }),
    run: () => [],
  },
  {
    name: 'aclexplode',
    takes: ['any'],
    columns: () => ({
      names: ['grantor', 'grantee', 'privilege_type', 'is_grantable'],
      types: ['oid', 'oid', 'text', 'bool'],
    }),
    run: () => [],
  },
]
