import type { SqlType } from '../shapes/types.ts'
import { commonType, isInteger, isNumber } from '../shapes/types.ts'

/** Text with `$1`, `$2`, … for arguments and `$*` for all of them. */
type Template = string

/** A function that statements may call. Nothing that is not here can be called: no function reads files, network or settings. */
export interface FunctionSpec {
  readonly kind: 'scalar' | 'aggregate' | 'window'
  /** Types of arguments; a literal takes its type. `any` takes what comes, `number` what is a number. */
  readonly takes: readonly (SqlType | 'any' | 'number' | 'moment')[]
  /** How many of `takes` can be left out at the end. */
  readonly optional: number
  /** The last of `takes` may be repeated. */
  readonly variadic: boolean
  /** Of the arguments' types. */
  readonly gives: (types: readonly SqlType[]) => SqlType
  /** Null: this engine has no such function, so that it is computed by another one. */
  readonly duckdb: Template | null
  readonly postgres: Template | null
}

type Takes = FunctionSpec['takes']
type Gives = SqlType | FunctionSpec['gives']
type Options = Partial<Pick<FunctionSpec, 'kind' | 'optional' | 'variadic' | 'duckdb' | 'postgres'>>

const define = (name: string, takes: Takes, gives: Gives, options: Options = {}): [string, FunctionSpec] => [
  name,
  {
    kind: 'scalar',
    optional: 0,
    variadic: false,
    duckdb: `${name}($*)`,
    postgres: `${name}($*)`,
    ...options,
    takes,
    gives: typeof gives === 'function' ? gives : () => gives,
  },
]

const both = (template: Template) => ({ duckdb: template, postgres: template })
const first: FunctionSpec['gives'] = ([type]) => type ?? 'text'
const common: FunctionSpec['gives'] = types =>
  types.reduce<SqlType>((left, right) => commonType(left, right) ?? left, 'unknown')
/** PostgreSQL: of the first, but where only a wider number compares with the second. */
const ofNullif: FunctionSpec['gives'] = ([left = 'text', right = 'text']) =>
  (isInteger(left) && right === 'numeric') || (isNumber(left) && right === 'float8') ? right : left
const ofSeries: FunctionSpec['gives'] = ([from, to]) =>
  from === 'timestamp' && to === 'timestamp' ? 'timestamp' : 'timestamptz'
/** PostgreSQL: numeric of exact numbers, double of doubles. */
const exact: FunctionSpec['gives'] = ([type]) => (type === 'float8' ? 'float8' : 'numeric')
const sumType: FunctionSpec['gives'] = ([type]) =>
  type === 'int4' ? 'int8' : type === 'int8' ? 'numeric' : (type ?? 'numeric')

/** The embedded engine makes texts of thousands of rows at once, past the memory that it is given. */
const longestMadeText = 10_000
const within = (length: Template, made: Template): Template =>
  `CASE WHEN ${length} > ${longestMadeText} THEN error('a text of more than ${longestMadeText} characters is not made') ELSE ${made} END`

const text = [
  define('upper', ['text'], 'text'),
  define('lower', ['text'], 'text'),
  define('length', ['text'], 'int4', both('length($1)')),
  define('char_length', ['text'], 'int4', both('length($1)')),
  define('character_length', ['text'], 'int4', both('length($1)')),
  define('bit_length', ['text'], 'int4'),
  define('octet_length', ['text'], 'int4', { duckdb: 'octet_length(encode($1))' }),
  define('btrim', ['text', 'text'], 'text', { optional: 1, duckdb: 'trim($*)' }),
  define('ltrim', ['text', 'text'], 'text', { optional: 1 }),
  define('rtrim', ['text', 'text'], 'text', { optional: 1 }),
  define('substring', ['text', 'int4', 'int4'], 'text', { optional: 1 }),
  define('substr', ['text', 'int4', 'int4'], 'text', { optional: 1, ...both('substring($*)') }),
  define('left', ['text', 'int4'], 'text'),
  define('right', ['text', 'int4'], 'text'),
  define('replace', ['text', 'text', 'text'], 'text'),
  define('repeat', ['text', 'int4'], 'text', { duckdb: within('length($1) * $2', 'repeat($1, $2)') }),
  define('reverse', ['text'], 'text'),
  define('strpos', ['text', 'text'], 'int4'),
  define('position', ['text', 'text'], 'int4', both('strpos($1, $2)')),
  define('lpad', ['text', 'int4', 'text'], 'text', { optional: 1, duckdb: within('$2', 'lpad($1, $2, $3)') }),
  define('rpad', ['text', 'int4', 'text'], 'text', { optional: 1, duckdb: within('$2', 'rpad($1, $2, $3)') }),
  define('split_part', ['text', 'text', 'int4'], 'text'),
  define('starts_with', ['text', 'text'], 'bool'),
  define('ascii', ['text'], 'int4'),
  define('chr', ['int4'], 'text'),
  define('md5', ['text'], 'text'),
  define('translate', ['text', 'text', 'text'], 'text'),
  define('concat', ['any'], 'text', { variadic: true }),
  define('concat_ws', ['text', 'any'], 'text', { variadic: true }),
  define('regexp_replace', ['text', 'text', 'text', 'text'], 'text', { optional: 1 }),
  define('regexp_substr', ['text', 'text'], 'text'),
  define('to_char', ['any', 'text'], 'text', { duckdb: null }),
  define('initcap', ['text'], 'text', { duckdb: null }),
]

const numbers = [
  define('abs', ['number'], first),
  define('sign', ['number'], exact),
  define('ceil', ['number'], exact),
  define('ceiling', ['number'], exact, both('ceil($1)')),
  define('floor', ['number'], exact),
  define('round', ['number', 'int4'], exact, { optional: 1 }),
  define('trunc', ['number', 'int4'], exact, { optional: 1 }),
  define('mod', ['number', 'number'], common, both('($1 % $2)')),
  define('div', ['number', 'number'], 'numeric', { duckdb: 'trunc($1 / $2)' }),
  define('power', ['number', 'number'], 'float8', { postgres: 'power(CAST($1 AS double precision), $2)' }),
  define('pow', ['number', 'number'], 'float8', {
    duckdb: 'power($*)',
    postgres: 'power(CAST($1 AS double precision), $2)',
  }),
  define('log', ['number', 'number'], 'numeric', { optional: 1 }),
  define('pi', [], 'float8'),
  ...[
    'sqrt',
    'cbrt',
    'exp',
    'ln',
    'log10',
    'radians',
    'degrees',
    'sin',
    'cos',
    'tan',
    'cot',
    'asin',
    'acos',
    'atan',
  ].map(name => define(name, ['number'], 'float8', { postgres: `${name}(CAST($1 AS double precision))` })),
  define('atan2', ['number', 'number'], 'float8'),
]

const moments = [
  define('date_trunc', ['text', 'moment'], 'timestamp'),
  define('date_part', ['text', 'moment'], 'float8'),
  define('extract', ['text', 'moment'], 'numeric', { postgres: 'date_part($1, $2)', duckdb: 'date_part($1, $2)' }),
  define('make_date', ['int4', 'int4', 'int4'], 'date'),
  define('age', ['moment', 'moment'], 'interval', { duckdb: null }),
  define('date_add', ['moment', 'interval'], 'timestamp', both('($1 + $2)')),
  define('datediff', ['text', 'moment', 'moment'], 'int8', { duckdb: null, postgres: null }),
  define('to_timestamp', ['number'], 'timestamptz', {
    duckdb: 'make_timestamp(CAST(CAST($1 AS DECIMAL(38,6)) * 1000000 AS BIGINT))',
    postgres: "timezone('UTC', to_timestamp($1))",
  }),
  // What clocks of one zone show when those of another show a time; statements say it by AT TIME ZONE.
  define('operator between zones', ['timestamp', 'text', 'text'], 'timestamp', both('timezone($3, timezone($2, $1))')),
]

const anything = [
  define('coalesce', ['any'], common, { variadic: true }),
  define('greatest', ['any'], common, { variadic: true }),
  define('least', ['any'], common, { variadic: true }),
  define('nullif', ['any', 'any'], ofNullif),
  define('generate_series', ['int8', 'int8', 'int8'], 'int8', { optional: 1, kind: 'scalar' }),
  // By moments, of which PostgreSQL takes days for those that begin them.
  define('operator series of moments', ['timestamp', 'timestamp', 'interval'], ofSeries, both('generate_series($*)')),
  define('unnest', ['any'], first),
  define('array_length', ['any', 'int4'], 'int4', { duckdb: 'len($1)' }),
]

const rowsAggregate = { kind: 'aggregate' } as const
const aggregates = [
  define('count', ['any'], 'int8', { ...rowsAggregate, optional: 1 }),
  define('sum', ['number'], sumType, rowsAggregate),
  define('avg', ['number'], exact, { ...rowsAggregate, postgres: 'avg($1)' }),
  define('min', ['any'], first, rowsAggregate),
  define('max', ['any'], first, rowsAggregate),
  define('bool_and', ['bool'], 'bool', rowsAggregate),
  define('bool_or', ['bool'], 'bool', rowsAggregate),
  define('every', ['bool'], 'bool', { ...rowsAggregate, ...both('bool_and($1)') }),
  define('string_agg', ['text', 'text'], 'text', rowsAggregate),
  define('corr', ['number', 'number'], 'float8', rowsAggregate),
  define('covar_pop', ['number', 'number'], 'float8', rowsAggregate),
  define('covar_samp', ['number', 'number'], 'float8', rowsAggregate),
  ...['stddev', 'stddev_samp', 'stddev_pop', 'variance', 'var_samp', 'var_pop'].map(name =>
    define(name, ['number'], exact, rowsAggregate),
  ),
  define('percentile_cont', ['float8'], 'float8', rowsAggregate),
  define('percentile_disc', ['float8'], 'float8', rowsAggregate),
  define('xirr', ['number', 'date', 'float8', 'float8'], 'float8', { ...rowsAggregate, optional: 2, postgres: null }),
]

const rowsWindow = { kind: 'window' } as const
const windows = [
  define('row_number', [], 'int8', rowsWindow),
  define('rank', [], 'int8', rowsWindow),
  define('dense_rank', [], 'int8', rowsWindow),
  define('percent_rank', [], 'float8', rowsWindow),
  define('cume_dist', [], 'float8', rowsWindow),
  define('ntile', ['int4'], 'int4', rowsWindow),
  define('lag', ['any', 'int4', 'any'], first, { ...rowsWindow, optional: 2 }),
  define('lead', ['any', 'int4', 'any'], first, { ...rowsWindow, optional: 2 }),
  define('first_value', ['any'], first, rowsWindow),
  define('last_value', ['any'], first, rowsWindow),
  define('nth_value', ['any', 'int4'], first, rowsWindow),
]

/** Operators by their spelling, in the same table: `operator +`. */
const arithmetic: FunctionSpec['gives'] = ([left = 'numeric', right = 'numeric']) => {
  if (right === 'interval' && left === 'interval') return 'interval'
  if (right === 'interval') return left === 'timestamptz' ? left : 'timestamp'
  if (left === 'interval') return right === 'timestamptz' ? right : 'timestamp'
  if (left === 'date' && isInteger(right)) return 'date'
  if (right === 'date' && isInteger(left)) return 'date'
  return common([left, right])
}
const difference: FunctionSpec['gives'] = ([left = 'numeric', right = 'numeric']) => {
  if (left === 'date' && right === 'date') return 'int4'
  if (right !== 'interval' && (left === 'timestamp' || left === 'timestamptz' || right === 'timestamp'))
    return 'interval'
  return arithmetic([left, right])
}
const scaled: FunctionSpec['gives'] = ([left = 'numeric', right = 'numeric']) =>
  left === 'interval' || right === 'interval' ? 'interval' : common([left, right])

const operators = [
  define('operator +', ['any', 'any'], arithmetic, both('($1 + $2)')),
  define('operator -', ['any', 'any'], difference, both('($1 - $2)')),
  define('operator *', ['any', 'any'], scaled, both('($1 * $2)')),
  define('operator /', ['any', 'any'], scaled, both('($1 / $2)')),
  define('operator %', ['number', 'number'], common, both('($1 % $2)')),
  define('operator ^', ['number', 'number'], 'float8', {
    duckdb: 'power($1, $2)',
    postgres: 'power(CAST($1 AS double precision), $2)',
  }),
  define('operator ||', ['any', 'any'], 'text', both('($1 || $2)')),
  define('unary -', ['any'], first, both('(- $1)')),
  define('unary +', ['number'], first, both('$1')),
  ...['=', '<>', '<', '<=', '>', '>='].map(name =>
    define(`operator ${name}`, ['any', 'any'], 'bool', both(`($1 ${name} $2)`)),
  ),
  define('operator is distinct from', ['any', 'any'], 'bool', both('($1 IS DISTINCT FROM $2)')),
  define('operator is not distinct from', ['any', 'any'], 'bool', both('($1 IS NOT DISTINCT FROM $2)')),
  define('operator ~~', ['text', 'text'], 'bool', both("($1 LIKE $2 ESCAPE '\\')")),
  define('operator !~~', ['text', 'text'], 'bool', both("($1 NOT LIKE $2 ESCAPE '\\')")),
  define('operator ~~*', ['text', 'text'], 'bool', both("($1 ILIKE $2 ESCAPE '\\')")),
  define('operator !~~*', ['text', 'text'], 'bool', both("($1 NOT ILIKE $2 ESCAPE '\\')")),
  define('operator ~', ['text', 'text'], 'bool', { duckdb: "regexp_matches($1, $2, 's')", postgres: '($1 ~ $2)' }),
  define('operator !~', ['text', 'text'], 'bool', {
    duckdb: "(NOT regexp_matches($1, $2, 's'))",
    postgres: '($1 !~ $2)',
  }),
  define('operator ~*', ['text', 'text'], 'bool', { duckdb: "regexp_matches($1, $2, 'is')", postgres: '($1 ~* $2)' }),
  define('operator !~*', ['text', 'text'], 'bool', {
    duckdb: "(NOT regexp_matches($1, $2, 'is'))",
    postgres: '($1 !~* $2)',
  }),
]

/** Every function and operator that statements may use, by its name in lower case. */
export const functions: ReadonlyMap<string, FunctionSpec> = new Map([
  ...text,
  ...numbers,
  ...moments,
  ...anything,
  ...aggregates,
  ...windows,
  ...operators,
])

export function functionOf(name: string): FunctionSpec {
  const found = functions.get(name)
  if (!found) throw new Error(`There is no function ${name}`)
  return found
}
