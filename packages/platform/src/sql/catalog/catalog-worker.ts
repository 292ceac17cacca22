// The thread that answers long statements over catalogs, one after the other; see `catalog-messages.ts`.
import { parentPort, workerData } from 'node:worker_threads'
import {
  CatalogError,
  type CatalogModel,
  type CatalogRelation,
  createCatalogModel,
  createCatalogView,
  understandCatalogStatement,
} from '@hedron/sql'
import type { CatalogTask, CatalogThreadData, FromCatalogThread, ToCatalogThread } from './catalog-messages.ts'

/** Rows of one message, so that whoever reads it is not kept long. */
const portionRows = 500

const { stop, busyMs }: CatalogThreadData = workerData
const arriving = new Map<number, CatalogRelation[]>()
const models = new Map<number, CatalogModel>()
let left: readonly (readonly (string | null)[])[] = []

parentPort?.on('message', (message: ToCatalogThread) => {
  switch (message.kind) {
    case 'relations':
      arriving.set(message.model, [...(arriving.get(message.model) ?? []), ...message.relations])
      return
    case 'forget':
      arriving.delete(message.model)
      models.delete(message.model)
      return
    case 'ask':
      parentPort?.postMessage(answer(message.task))
      return
    case 'more':
      parentPort?.postMessage(nextRows())
  }
})

function answer(task: CatalogTask): FromCatalogThread {
  try {
    left = rowsOf(task)
    return nextRows()
  } catch (error) {
    if (!(error instanceof CatalogError)) return { fault: error }
    const { code, message, position } = error
    return { refusal: { code, message, position } }
  }
}

function nextRows(): FromCatalogThread {
  const rows = left.slice(0, portionRows)
  left = left.slice(portionRows)
  return { rows, done: left.length === 0 }
}

function rowsOf({ model, tree, parameterTypes, values, session }: CatalogTask) {
  const until = performance.now() + busyMs
  const view = createCatalogView(
    modelOf(model),
    {
      ...session,
      setting: name => session.values.get(name.toLowerCase()),
      changeSetting: name => {
        throw new CatalogError('54001', `"${name}" cannot be set by a statement that reads so much of the catalogs`)
      },
    },
    () => session.settings,
  )
  const isOver = () => Atomics.load(stop, 0) !== 0 || performance.now() > until
  return understandCatalogStatement(view, tree, parameterTypes).run(values, isOver)
}

function modelOf(id: number): CatalogModel {
  const known = models.get(id)
  if (known) return known
  const made = createCatalogModel(arriving.get(id) ?? [])
  arriving.delete(id)
  models.set(id, made)
  return made
}
