import { createHash } from 'node:crypto'

/** SHA-256 of a secret: all that is kept of it. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
