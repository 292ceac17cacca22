import type { MessageWriter } from './message-writer.ts'
import type { PgError } from './pg-error.ts'

/** A column as a client is told of it. */
export interface WireColumn {
  readonly name: string
  readonly typeOid: number
  /** Bytes of the type; -1: varies. */
  readonly typeLength: number
}

/** 0: text, 1: binary. */
export type Format = 0 | 1

/** I: idle, T: in a transaction, E: in a failed one. */
export type TransactionStatus = 'I' | 'T' | 'E'

export const writeReady = (writer: MessageWriter, status: TransactionStatus) => writer.begin('Z').byte(status).finish()

export const writeEmpty = (writer: MessageWriter, type: '1' | '2' | '3' | 'n' | 's' | 'I') =>
  writer.begin(type).finish()

export const writeComplete = (writer: MessageWriter, tag: string) => writer.begin('C').text(tag).finish()

export const writeParameterStatus = (writer: MessageWriter, name: string, value: string) =>
  writer.begin('S').text(name).text(value).finish()

/** @param formats one for each column, or one for all, or none: text. */
export function writeRowDescription(
  writer: MessageWriter,
  columns: readonly WireColumn[],
  formats: readonly Format[],
): void {
  writer.begin('T').int16(columns.length)
  columns.forEach(({ name, typeOid, typeLength }, index) => {
    writer.text(name).int32(0).int16(0).uint32(typeOid).int16(typeLength).int32(-1).int16(formatOf(formats, index))
  })
  writer.finish()
}

export function writeParameterDescription(writer: MessageWriter, oids: readonly number[]): void {
  writer.begin('t').int16(oids.length)
  for (const oid of oids) writer.uint32(oid)
  writer.finish()
}

export const formatOf = (formats: readonly Format[], index: number): Format =>
  (formats.length === 1 ? formats[0] : formats[index]) ?? 0

export function writeError(writer: MessageWriter, error: PgError): void {
  writer.begin('E')
  writeFields(writer, error.fatal ? 'FATAL' : 'ERROR', error.code, error.message, error.details)
}

export function writeNotice(
  writer: MessageWriter,
  severity: 'NOTICE' | 'WARNING',
  code: string,
  message: string,
): void {
  writer.begin('N')
  writeFields(writer, severity, code, message, {})
}

function writeFields(
  writer: MessageWriter,
  severity: string,
  code: string,
  message: string,
  { detail, hint, position }: PgError['details'],
): void {
  const fields = [
    ['S', severity],
    ['V', severity],
    ['C', code],
    ['M', message],
    ['D', detail],
    ['H', hint],
    ['P', position === undefined ? undefined : String(position)],
  ] as const
  for (const [field, value] of fields) if (value !== undefined) writer.byte(field).text(value)
  writer.byte('\0').finish()
}
