import { setTimeout as delay } from 'node:timers/promises'
import type { SqlIdentity, SqlSignIn } from '@hedron/platform'
import { createBodyReader } from '../protocol/body-reader.ts'
import type { Channel } from '../protocol/channel.ts'
import type { MessageWriter } from '../protocol/message-writer.ts'
import { fatal, protocolViolation } from '../protocol/pg-error.ts'
import { beginScram, scramMechanism } from './scram.ts'

/** A token of an identity provider can be long; nothing else is. */
const maximumMessage = 65_536

export interface AuthenticateNeeds {
  readonly channel: Channel
  readonly writer: MessageWriter
  readonly randomBytes: (count: number) => Buffer
  /** How long a client may take, in milliseconds. */
  readonly timeoutMs: number
  /** When the answer to one who is not let in is sent, counted from his last message: the same whatever the reason. */
  readonly refusalMs: number
  /** Passwords are not taken over connections that are not encrypted. */
  readonly needsEncryption: boolean
}

/** Who was let in, and how he is let in again. */
export interface Entered {
  readonly identity: SqlIdentity
  readonly again: () => Promise<SqlIdentity | null>
}

/** Has a client prove who it is. @throws {PgError} fatal 28P01, 28000, 08P01, 57P05; undefined where it went away. */
export async function authenticate(
  need: AuthenticateNeeds,
  user: string,
  signIn: SqlSignIn,
): Promise<Entered | undefined> {
  const proof = signIn.password === null ? await readPassword(need) : await provePassword(need, signIn.password)
  if (proof === undefined) return undefined
  const received = performance.now()
  const identity = proof.known ? await signIn.accept(proof.secret) : null
  if (!identity) {
    await delay(Math.max(0, need.refusalMs - (performance.now() - received)))
    throw fatal('28P01', `password authentication failed for user "${user.slice(0, 63)}"`)
  }
  return { identity, again: () => signIn.accept(proof.secret) }
}

interface Proof {
  readonly known: boolean
  readonly secret: string | null
}

/** A key or token is compared with what only others know, so it has to be sent itself. */
async function readPassword({
  channel,
  writer,
  timeoutMs,
  needsEncryption,
}: AuthenticateNeeds): Promise<Proof | undefined> {
  if (needsEncryption && !channel.encrypted) {
    throw fatal('28000', 'keys and tokens are only taken over encrypted connections', {
      hint: 'Connect with sslmode=require.',
    })
  }
  await channel.write(writer.begin('R').int32(3).finish().take())
  const body = await readAnswer(channel, timeoutMs)
  if (!body) return undefined
  const reader = createBodyReader(body)
  const secret = reader.text()
  reader.end()
  return { known: true, secret }
}

async function provePassword(
  { channel, writer, timeoutMs, randomBytes }: AuthenticateNeeds,
  password: string,
): Promise<Proof | undefined> {
  await channel.write(writer.begin('R').int32(10).text(scramMechanism).byte('\0').finish().take())
  const first = await readAnswer(channel, timeoutMs)
  if (!first) return undefined
  const reader = createBodyReader(first)
  if (reader.text() !== scramMechanism)
    throw protocolViolation('client selected an invalid SASL authentication mechanism')
  const challenge = beginScram(reader.bytes(reader.int32()).toString(), password, randomBytes)
  if (!challenge) throw protocolViolation('malformed SCRAM message')
  await channel.write(writer.begin('R').int32(11).bytes(Buffer.from(challenge.message)).finish().take())
  const last = await readAnswer(channel, timeoutMs)
  if (!last) return undefined
  const signature = await challenge.finish(last.toString())
  if (signature === null) return { known: false, secret: null }
  await channel.write(writer.begin('R').int32(12).bytes(Buffer.from(signature)).finish().take())
  return { known: true, secret: null }
}

async function readAnswer(channel: Channel, timeoutMs: number): Promise<Buffer | undefined> {
  const frame = await channel.read('message', maximumMessage, timeoutMs)
  if (frame && frame.type !== 'p') throw protocolViolation('expected password response')
  return frame?.body
}
