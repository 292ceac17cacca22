import { chmod, chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createApi, load } from '../support/api.ts'
import { launchPlatform, type RunningPlatform, startPlatform, temporaryDirectory } from '../support/start-platform.ts'
import { createTestDatabase } from '../support/test-database.ts'

const isRoot = process.getuid?.() === 0
const serverUrl = process.env.HEDRON_TEST_DATABASE_URL
const nobody = { uid: 65_534, gid: 65_534 }

async function expectAnswers(platform: RunningPlatform): Promise<void> {
  const api = createApi(platform.baseUrl, platform.apiKey)
  const { body } = await api.get('/api/v1/deployments')
  const answer = await load(api, Object(body.items)[0].id, { measures: ['flights.count'] })
  expect([answer.status, answer.body.data]).toEqual([200, [{ 'flights.count': '3000000' }]])
}

/** User that a process runs as. */
async function userOf(pid: number): Promise<number> {
  const [, uid] = /^Uid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(uid)
}

const databaseServer = async (folder: string) =>
  Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10)

/** Starts twice on one directory, the second time on what the first has left. */
async function startTwice(
  options: { dataDirectory: string; uid?: number; gid?: number },
  look: (platform: RunningPlatform) => Promise<void>,
) {
  const database = serverUrl ? await createTestDatabase(serverUrl) : null
  try {
    for (const start of ['first', 'second']) {
      const platform = await startPlatform({ ...options, database, environment: { HEDRON_DEMO: '1' } })
      try {
        await expectAnswers(platform)
        await look(platform)
      } finally {
        expect({ start, code: await platform.stop() }).toEqual({ start, code: 0 })
      }
    }
  } finally {
    await database?.drop()
  }
}

async function withDirectory(make: () => Promise<string>, use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await make()
  try {
    await use(directory)
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
  }
}

describe('it starts', () => {
  test('as whoever runs this', async () => {
    await withDirectory(temporaryDirectory, dataDirectory => startTwice({ dataDirectory }, async () => {}))
  })

  test.runIf(isRoot)('as a plain user, and nothing of it is another’s', async () => {
    const make = async () => {
      const directory = await temporaryDirectory()
      await chmod(directory, 0o777)
      return directory
    }
    await withDirectory(make, dataDirectory =>
      startTwice({ dataDirectory, ...nobody }, async ({ pid }) => {
        expect(await userOf(pid)).toBe(nobody.uid)
        if (!serverUrl) expect(await userOf(await databaseServer(join(dataDirectory, 'postgres')))).toBe(nobody.uid)
        const key = await stat(join(dataDirectory, 'secret.key'))
        expect([key.uid, key.mode & 0o777]).toEqual([nobody.uid, 0o600])
      }),
    )
  })

  test.runIf(isRoot && !serverUrl)('as root in a folder of its own, its database server as somebody else', async () => {
    await withDirectory(temporaryDirectory, dataDirectory =>
      startTwice({ dataDirectory }, async ({ pid }) => {
        expect(await userOf(pid)).toBe(0)
        expect(await userOf(await databaseServer(join(dataDirectory, 'postgres')))).not.toBe(0)
      }),
    )
  })

  test.runIf(isRoot && !serverUrl)(
    'as root below a home that nobody else can enter, and says where the database is',
    async () => {
      await withDirectory(
        () => mkdtemp(join(homedir(), 'hedron-acceptance-')),
        async dataDirectory => {
          let home = ''
          try {
            await startTwice({ dataDirectory }, async platform => {
              const folder = join(dataDirectory, 'postgres')
              home = (await readFile(join(folder, 'location'), 'utf8').catch(() => '')).trim()
              expect(await userOf(await databaseServer(home === '' ? folder : home))).not.toBe(0)
              if (home !== '') expect(platform.output()).toContain(`the database of ${folder} is in ${home}`)
            })
          } finally {
            if (home !== '') await rm(home, { recursive: true, force: true, maxRetries: 10 })
          }
        },
      )
    },
  )

  test.runIf(isRoot && !serverUrl)('as root on what a plain user has left', async () => {
    await withDirectory(temporaryDirectory, async dataDirectory => {
      await chown(dataDirectory, nobody.uid, nobody.gid)
      const platform = await startPlatform({ dataDirectory, ...nobody, environment: { HEDRON_DEMO: '1' } })
      await expectAnswers(platform).finally(() => platform.stop())
      await startTwice({ dataDirectory }, async () => {
        expect(await userOf(await databaseServer(join(dataDirectory, 'postgres')))).toBe(nobody.uid)
      })
    })
  })
})

describe('it does not start', () => {
  const refused = async (options: Parameters<typeof launchPlatform>[0]) => {
    const launched = await launchPlatform(options)
    const code = await launched.exited
    await new Promise(resolve => setTimeout(resolve, 100))
    return { code, output: launched.output() }
  }

  test.runIf(isRoot && !serverUrl)('as a plain user on what root has left, and says whose it is', async () => {
    await withDirectory(temporaryDirectory, async dataDirectory => {
      const platform = await startPlatform({ dataDirectory })
      await platform.stop()
      await chmod(dataDirectory, 0o777)
      const { code, output } = await refused({ dataDirectory, ...nobody })
      expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(dataDirectory) })
      expect(output).not.toMatch(/^\s+at /m)
    })
  })

  test.runIf(isRoot)('where it may not write, and says where that is', async () => {
    await withDirectory(temporaryDirectory, async parent => {
      const dataDirectory = join(parent, 'data')
      const { code, output } = await refused({
        ...nobody,
        dataDirectory: parent,
        environment: { HEDRON_DATA_DIR: dataDirectory },
        database: null,
      })
      expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(dataDirectory) })
      expect(output).not.toMatch(/^\s+at /m)
    })
  })
})
