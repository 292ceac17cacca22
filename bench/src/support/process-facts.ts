import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Memory of a process that is in RAM, in MiB. */
export function residentMebibytes(pid: number): number {
  const kibibytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  return Number(kibibytes) / 1024
}

/** Time that a process has spent on cores so far, in milliseconds; null where the system does not say. */
export function processorMilliseconds(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name, which can hold anything but ends with the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
