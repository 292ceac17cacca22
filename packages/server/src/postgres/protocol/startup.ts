import { createBodyReader } from './body-reader.ts'
import { fatal, protocolViolation } from './pg-error.ts'

/** What the first packet of a connection asks for (PostgreSQL documentation, "Message Flow", start-up). */
export type Startup =
  | { readonly kind: 'ssl' }
  | { readonly kind: 'gss' }
  | { readonly kind: 'cancel'; readonly processId: number; readonly secret: number }
  | {
      readonly kind: 'session'
      /** A minor version or options of the protocol that this server does not have are named here. */
      readonly unknownOptions: readonly string[] | null
      readonly parameters: ReadonlyMap<string, string>
    }

const sslRequest = 80877103
const gssRequest = 80877104
const cancelRequest = 80877102
const version3 = 3

/** Bytes that a startup packet may have, as PostgreSQL itself allows. */
export const maximumStartup = 10_000

/** @throws {PgError} fatal for another protocol or a packet that is none. */
export function readStartup(body: Buffer): Startup {
  const reader = createBodyReader(body)
  const code = reader.int32()
  if (code === sslRequest) return { kind: 'ssl' }
  if (code === gssRequest) return { kind: 'gss' }
  if (code === cancelRequest) {
    const [processId, secret] = [reader.int32(), reader.int32()]
    reader.end()
    return { kind: 'cancel', processId, secret }
  }
  const [major, minor] = [code >>> 16, code & 0xffff]
  if (major !== version3) {
    throw fatal('0A000', `unsupported frontend protocol ${major}.${minor}: server supports 3.0 to 3.0`)
  }
  const parameters = new Map<string, string>()
  for (;;) {
    const name = reader.text()
    if (name === '') break
    parameters.set(name, reader.text())
  }
  if (reader.left > 0) throw protocolViolation('invalid startup packet layout: expected terminator as last byte')
  const options = [...parameters.keys()].filter(name => name.startsWith('_pq_.'))
  for (const option of options) parameters.delete(option)
  return { kind: 'session', parameters, unknownOptions: minor > 0 || options.length > 0 ? options : null }
}
