import { createHmac, createSign, type KeyObject } from 'node:crypto'

type Claims = Readonly<Record<string, unknown>>

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON web token as anybody with the secret makes it. */
export function signHmac(claims: Claims, secret: string, header: Claims = { alg: 'HS256', typ: 'JWT' }): string {
  const hash = String(header.alg).replace('HS', 'sha').toLowerCase()
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${createHmac(/^sha\d+$/.test(hash) ? hash : 'sha256', secret)
    .update(content)
    .digest('base64url')}`
}

export function signRsa(claims: Claims, key: KeyObject, header: Claims = {}): string {
  const content = `${encode({ alg: 'RS256', typ: 'JWT', ...header })}.${encode(claims)}`
  return `${content}.${createSign('sha256').update(content).sign(key, 'base64url')}`
}

/** A token that says it needs no signature. */
export const unsigned = (claims: Claims, algorithm: string) =>
  `${encode({ alg: algorithm, typ: 'JWT' })}.${encode(claims)}.`
