/** Sessions that can be asked from another connection to stop what they run. */
export function createCancelKeys(randomBytes: (count: number) => Buffer) {
  const sessions = new Map<number, { readonly secret: number; readonly cancel: () => void }>()

  return {
    /** @returns what the client must show to cancel, and how the session is forgotten. */
    add(cancel: () => void) {
      let processId: number
      do processId = randomBytes(4).readUInt32BE() & 0x7fffffff
      while (processId === 0 || sessions.has(processId))
      const secret = randomBytes(4).readInt32BE()
      sessions.set(processId, { secret, cancel })
      return { processId, secret, remove: () => sessions.delete(processId) }
    },
    /** Nobody is told whether it worked. */
    cancel(processId: number, secret: number): void {
      const session = sessions.get(processId)
      if (session?.secret === secret) session.cancel()
    },
  }
}
export type CancelKeys = ReturnType<typeof createCancelKeys>
