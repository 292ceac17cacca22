import { randomUUID } from 'node:crypto'
import { readFlightsExample } from '@hedron/example-flights'
import { StoreError } from '@hedron/store'
import { announce } from './announce.ts'
import { compose, type Service } from './compose.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { provideDataFiles } from './demo-data.ts'
import { createLogger } from './logger.ts'

const say = (message: string) => console.log(`[hedron] ${message}`)

try {
  const config = readConfig(process.env)
  await start(config)
} catch (error) {
  if (error instanceof ConfigError || error instanceof StoreError || isAddressInUse(error)) {
    console.error(`[hedron] ${error.message}`)
  } else {
    console.error('[hedron] could not start:', error)
  }
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const log = createLogger(config, process.stderr.isTTY)
  const composing = compose(config, log, say)
  const stopping = stopOnSignals(composing)
  const service = await composing
  try {
    await serve(config, service)
  } catch (error) {
    // Whoever asked it to stop while it was starting is not told that the start failed of that.
    if (stopping.aborted) return
    await service.close().catch(() => {})
    throw error
  }
}

async function serve(config: Config, service: Service): Promise<void> {
  if (service.note) say(service.note)
  const { platform } = service
  const first = await platform.ensureFirstAccount({
    account: config.account,
    adminEmail: config.adminEmail,
    adminPassword: config.adminPassword,
    bootstrapApiKey: config.bootstrapApiKey,
  })
  const demo = config.demo ? await seedDemo(service, first.caller) : null
  await platform.start()
  const { baseUrl, sql } = await service.listen()
  const token = demo === null ? null : await dataToken(service, first.caller, demo.deploymentId)
  announce(console.log, {
    baseUrl,
    seconds: performance.now() / 1000,
    adminEmail: config.adminEmail,
    password: first.password,
    apiKey: first.apiKey,
    sql,
    demo: demo === null || token === null ? null : { ...demo, token },
  })
  await first.shown()
}

/** The demo deployment, and the public id of its dashboard. */
interface Demo {
  readonly deploymentId: number
  readonly dashboard: string
}

type FirstCaller = Parameters<Service['platform']['ensureDemo']>[0]

async function seedDemo({ platform, dataFolders }: Service, caller: FirstCaller): Promise<Demo | null> {
  const project = await readFlightsExample()
  const deploymentId = await platform.ensureDemo(caller, startContext(), project, id =>
    provideDataFiles(dataFolders.pathOf(id), project.data),
  )
  if (deploymentId === null) return null
  const dashboard = await platform.ensureDemoWorkbook(caller, startContext(), deploymentId, project.workbook)
  return { deploymentId, dashboard }
}

async function dataToken({ platform }: Service, caller: FirstCaller, deploymentId: number): Promise<string> {
  const input = { params: { deploymentId }, query: {}, body: {}, files: undefined }
  const { cubeApiToken } = await platform.operations.deploymentToken(caller, input, startContext())
  return cubeApiToken
}

function startContext() {
  return { requestId: randomUUID(), address: null, signal: AbortSignal.timeout(60_000) }
}

/**
 * Stops cleanly on the first signal, also one that comes while the service is being put together: its database server must not
 * be left behind. A second signal stops at once.
 *
 * @returns what is aborted by the first signal.
 */
function stopOnSignals(composing: Promise<Service>): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(1)
      stopping.abort()
      say('Stopping: running requests get up to 10 s to end')
      composing
        .then(service => service.close())
        .then(
          () => process.exit(0),
          error => {
            console.error('[hedron] did not stop cleanly:', error)
            process.exit(1)
          },
        )
    })
  }
  return stopping.signal
}

function isAddressInUse(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return false
  error.message = `${error.message}. Another program listens there; set HEDRON_PORT or HEDRON_SQL_PORT to another port.`
  return true
}
