import { readdirSync, readFileSync } from 'node:fs'

interface Found {
  readonly pid: number
  readonly residentBytes: number
}

/** The engines that a process started, as Linux knows them. */
export function engineProcesses(parent = process.pid): readonly Found[] {
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return []
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      if (!new RegExp(`^PPid:\\s+${parent}$`, 'm').test(status)) return []
      if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('engine-process.ts')) return []
      const [, kibibytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? []
      return [{ pid: Number(name), residentBytes: Number(kibibytes) * 1_024 }]
    } catch {
      // It ended meanwhile.
      return []
    }
  })
}

export const isAlive = (pid: number): boolean => {
  try {
    // A process that ended and that nobody asked for is still there by name.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
