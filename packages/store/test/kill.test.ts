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
  let orphans = 0
  for (const { rows, pause } of rounds) {
    const writer = startWriter(home)
    if (rows > 0) {
      const { ids, log } = await writer.opened
      expect([...acknowledged].filter(id => !new Set(ids).has(id))).toEqual([])
      orphans += log.filter(line => line.includes('that an earlier Hedron left')).length
      await writer.wrote(rows)
    }
    await sleep(pause)
    writer.kill()
    await writer.ended
    for (const id of writer.acknowledged) acknowledged.add(id)
  }
  expect(await isServerOf(await serverPid(home), join(home, 'data'))).toBe(true) // so each start had one to stop
  expect(orphans).toBeGreaterThanOrEqual(rounds.filter(({ rows }) => rows > 0).length - 1)
  const last = startWriter(home)
  const { ids } = await last.opened
  expect([...acknowledged].filter(id => !new Set(ids).has(id))).toEqual([])
  last.interruptGroup()
  expect(await last.ended).toMatchObject({ event: 'closed' })
})
