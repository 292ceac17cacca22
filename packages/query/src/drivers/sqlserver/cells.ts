import { problems } from '../../query-service-error.ts'
import type { Cell, Column, ColumnType } from '../../shapes/query.ts'
import { doubleCell, floatCell } from '../network/text-cells.ts'

/** What the client tells of a column. */
export interface SqlServerField {
  readonly colName: string
  readonly type: { readonly name: string }
  readonly precision?: number | undefined
  readonly scale?: number | undefined
  readonly dataLength?: number | undefined
}

const types: Readonly<Record<string, readonly [databaseType: string, type: ColumnType]>> = {
  TinyInt: ['tinyint', 'integer'],
  SmallInt: ['smallint', 'integer'],
  Int: ['int', 'integer'],
  BigInt: ['bigint', 'integer'],
  IntN: ['int', 'integer'],
  Bit: ['bit', 'boolean'],
  BitN: ['bit', 'boolean'],
  Real: ['real', 'double'],
  Float: ['float', 'double'],
  FloatN: ['float', 'double'],
  DecimalN: ['decimal', 'decimal'],
  NumericN: ['numeric', 'decimal'],
  SmallMoney: ['smallmoney', 'decimal'],
  Money: ['money', 'decimal'],
  MoneyN: ['money', 'decimal'],
  Date: ['date', 'date'],
  SmallDateTime: ['smalldatetime', 'timestamp'],
  DateTime: ['datetime', 'timestamp'],
  DateTimeN: ['datetime', 'timestamp'],
  DateTime2: ['datetime2', 'timestamp'],
  DateTimeOffset: ['datetimeoffset', 'timestamp'],
  Time: ['time', 'time'],
  Binary: ['binary', 'binary'],
  VarBinary: ['varbinary', 'binary'],
  Image: ['image', 'binary'],
  UniqueIdentifier: ['uniqueidentifier', 'string'],
  Char: ['char', 'string'],
  VarChar: ['varchar', 'string'],
  Text: ['text', 'string'],
  NChar: ['nchar', 'string'],
  NVarChar: ['nvarchar', 'string'],
  NText: ['ntext', 'string'],
  Xml: ['xml', 'string'],
}

/** Of `money`, whatever its column says. */
const moneyScale = 4

export function columnOf({ colName, type, precision, scale, dataLength }: SqlServerField): Column {
  const [name, columnType] = types[type.name] ?? [type.name.toLowerCase(), 'string']
  if (type.name === 'IntN' && dataLength === 8) return { name: colName, type: 'integer', databaseType: 'bigint' }
  const digits = columnType === 'decimal' && precision !== undefined ? `(${precision},${scale ?? 0})` : ''
  return { name: colName, type: columnType, databaseType: `${name}${digits}` }
}

/** Writes a cell from what the client makes of it. Made once a column, called once a cell. */
export function createCellWriter(field: SqlServerField): (value: unknown) => Cell {
  const { type } = columnOf(field)
  const { name } = field.type
  const isSingle = name === 'Real' || (name === 'FloatN' && field.dataLength === 4)
  const scale = /Money/.test(name) ? moneyScale : (field.scale ?? 0)
  return value => {
    if (value === null || value === undefined) return null
    if (typeof value === 'boolean') return value
    if (value instanceof Date)
      return type === 'time' ? value.toISOString().slice(11, -1) : value.toISOString().slice(0, -1)
    if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
    if (type === 'double') return isSingle ? floatCell(value) : doubleCell(value)
    if (type === 'decimal' && typeof value === 'number') return decimalCell(value, scale, field.colName)
    return String(value)
  }
}

/**
 * The client makes a double of a decimal, which has all its digits as long as there are fewer than sixteen; with more, the
 * number would be another one.
 */
function decimalCell(value: number, scale: number, column: string): Cell {
  if (Math.abs(value) * 10 ** scale < Number.MAX_SAFE_INTEGER) return value.toFixed(scale)
  throw problems.queryFailed(
    `Column "${column}" holds a decimal of more than 15 digits, which cannot be read exactly from SQL Server. ` +
      'Cast it to fewer digits after the point, to bigint, or to varchar.',
  )
}
