/** What a server writes to `postmaster.pid` in its data directory (PostgreSQL, miscadmin.h: LOCK_FILE_LINE_*). */
export interface PostmasterFile {
  readonly pid: number
  readonly port: number | undefined
  readonly socketDirectory: string | undefined
}

/** @returns undefined where there is no pid in it, as after a power loss */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const [pidLine, , , portLine, socketLine] = text.split('\n').map(line => line.trim())
  const pid = Math.abs(Number(pidLine)) // negative: a server in single-user mode
  if (!Number.isSafeInteger(pid) || pid === 0) return undefined
  const port = Number(portLine)
  return {
    pid,
    port: portLine && Number.isSafeInteger(port) ? port : undefined,
    socketDirectory: socketLine || undefined,
  }
}

/** The same file with another pid in its first line. */
export function withPid(text: string, pid: number): string {
  return text.replace(/^[^\n]*/, String(pid))
}
