import { createHmac, hkdfSync } from 'node:crypto'
import type { Effects } from '../effects.ts'

/** Each kind of secret begins with its own letters, so that one that leaked into a log or a repository is told at sight. */
export const prefixes = {
  access: 'hda_',
  refresh: 'hdr_',
  device: 'hdd_',
  session: 'hds_',
  link: 'hdl_',
  code: 'hdc_',
} as const
type Kind = keyof typeof prefixes

/** 256 random bits. */
export const makeSecret = (effects: Effects, kind: Kind): string =>
  `${prefixes[kind]}${effects.randomBytes(32).toString('base64url')}`

/** Makes the secret that follows another: the same each time, and by nobody who has not the key. */
export type DeriveSecret = (kind: Kind, from: string) => string

/** @param secretKey the installation's, under which other things are sealed. */
export function createDeriveSecret(secretKey: Buffer): DeriveSecret {
  const key = keyFor(secretKey, 'hedron login tokens')
  return (kind, from) => `${prefixes[kind]}${createHmac('sha256', key).update(`${kind} ${from}`).digest('base64url')}`
}

/** What a form must show that it was made for the holder of a cookie; nobody else can make it. */
export function createFormTokens(secretKey: Buffer): (cookie: string) => string {
  const key = keyFor(secretKey, 'hedron form tokens')
  return cookie => createHmac('sha256', key).update(cookie).digest('base64url')
}

const keyFor = (secretKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), purpose, 32))
