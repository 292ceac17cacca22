import { readdir, readFile } from 'node:fs/promises'

/** A process, as Linux describes it. */
export interface ProcessFacts {
  readonly pid: number
  readonly residentBytes: number
  /** Since its start, in hundredths of a second. */
  readonly cpuTicks: number
  readonly command: string
}

/** The processes that one started, and they, but those that ended already. */
export async function processesBelow(pid: number): Promise<readonly ProcessFacts[]> {
  const all = await Promise.all((await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(read))
  const found: ProcessFacts[] = []
  const pending = [pid]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const one of all) {
      if (one?.parent !== parent) continue
      found.push(one)
      pending.push(one.pid)
    }
  }
  return found
}

/** Null where there is none, or it ended and was not taken note of. */
export async function processFacts(pid: number): Promise<ProcessFacts | null> {
  return read(String(pid))
}

async function read(name: string): Promise<(ProcessFacts & { readonly parent: number }) | null> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${name}/stat`, 'utf8'),
      readFile(`/proc/${name}/cmdline`, 'utf8'),
    ])
    const [state = '', parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    const [user, system, pages] = [rest[9], rest[10], rest[19]].map(Number)
    return {
      pid: Number(name),
      parent: Number(parent),
      residentBytes: (pages ?? 0) * 4_096,
      cpuTicks: (user ?? 0) + (system ?? 0),
      command: command.replaceAll('\0', ' '),
    }
  } catch {
    return null
  }
}
