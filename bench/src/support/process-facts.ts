import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Memory of a process that is in RAM, in MiB. */
export function residentMebibytes(pid: number): number {
  const kibibytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  return Number(kibibytes) / 1024
}

/** Ids of the processes that a process started and whose command has this word; null where the system does not say. */
export function childrenOf(pid: number, word: string): readonly number[] | null {
  if (process.platform !== 'linux') return null
  const numbers = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return numbers.map(Number).filter(child => {
    try {
      const isChild = readFileSync(`/proc/${child}/status`, 'utf8').includes(`\nPPid:\t${pid}\n`)
      return isChild && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(word)
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
}

/** Time that a process has spent on cores so far, in milliseconds; null where the system does not say. */
export function processorMilliseconds(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name, which can hold anything but ends with the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
