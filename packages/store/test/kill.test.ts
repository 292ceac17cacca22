import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isServerOf } from '../src/postgres/process-identity.ts'
import { endServer, serverPid, temporaryFolder } from './support/directories.ts'
import { startWriter } from './support/programs.ts'

/** Each round writes so many rows, and then is killed after so many milliseconds more. */
const rounds = [
  { rows: 1, pause: 0 },
  { rows: 200, pause: 7 },
  { rows: 50, pause: 0 },
  { rows: 0, pause: 90 }, // while the server of the round before is being stopped
  { rows: 0, pause: 200 }, // while its own is being started
  { rows: 500, pause: 3 },
  { rows: 0, pause: 250 },
  { rows: 0, pause: 300 },
  { rows: 5, pause: 40 },
  { rows: 300, pause: 1 },
  { rows: 20, pause: 13 },
  { rows: 100, pause: 0 },
]

test('killed again and again, Hedron loses no acknowledged row and always starts', { timeout: 120_000 }, async () => {
  const home = join(await temporaryFolder(), 'database')
  onTestFinished(() => endServer(home))
  const acknowledged = new Set<number>()
  for (const [index, { rows, pause }] of rounds.entries()) {
    const writer = startWriter(home)
    if (rows > 0) {
      const { ids, log } = await writer.opened
      expect([...acknowledged].filter(id => !new Set(ids).has(id))).toEqual([])
      // One that was killed while it started may have stopped the orphan before it without leaving another.
      const before = rounds[index - 1]?.rows ?? 0
      if (before > 0) expect(log).toEqual([expect.stringContaining('that an earlier Hedron left')])
      await writer.wrote(rows)
    }
    await sleep(pause)
    writer.kill()
    await writer.ended
    for (const id of writer.acknowledged) acknowledged.add(id)
  }
  expect(await isServerOf(await serverPid(home), join(home, 'data'))).toBe(true)
  const last = startWriter(home)
  const { ids } = await last.opened
  expect([...acknowledged].filter(id => !new Set(ids).has(id))).toEqual([])
  last.interruptGroup()
  expect(await last.ended).toMatchObject({ event: 'closed' })
})
