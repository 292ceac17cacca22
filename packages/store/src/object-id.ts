/** Git ids are 20 bytes in the database and 40 hexadecimal digits everywhere else. */
export const toBytes = (id: string): Buffer => Buffer.from(id, 'hex')

export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

export const toHexOrNull = (bytes: Uint8Array | null): string | null => (bytes === null ? null : toHex(bytes))
