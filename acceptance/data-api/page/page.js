/**
 * A page as a customer writes it, with the field's React package and its two transports. Each part shows what it has as text in
 * an element of its own, which the test reads. The address of the page says where the data API is.
 */
import cube from '@cubejs-client/core'
import {
  CubeProvider,
  QueryBuilder,
  QueryRenderer,
  useCubeMeta,
  useCubeQuery,
  useCubeSql,
  useDryRun,
} from '@cubejs-client/react'
import WebSocketTransport from '@cubejs-client/ws-transport'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const settings = new URL(window.location.href).searchParams
const token = settings.get('token') ?? ''
const overHttp = cube(token, { apiUrl: settings.get('api') ?? '' })
const transport = new WebSocketTransport({ authorization: token, apiUrl: settings.get('socket') ?? '' })
const overSocket = cube(token, { apiUrl: settings.get('api') ?? '', transport })

const words = { measures: ['live.count'], dimensions: ['live.word'], order: { 'live.word': 'asc' } }

const show = (id, value) => createElement('pre', { id }, value === undefined ? '' : JSON.stringify(value))

function Query() {
  const { resultSet, isLoading, error } = useCubeQuery(words)
  return show('query', isLoading ? undefined : (error?.toString() ?? resultSet?.tablePivot()))
}

function Live() {
  const { resultSet, error } = useCubeQuery({ measures: ['live.count'] }, { subscribe: true, cubeApi: overSocket })
  return show('live', error?.toString() ?? resultSet?.rawData())
}

function Refused() {
  const { error } = useCubeQuery({ measures: ['live.nope'] })
  return show('refused', error?.toString())
}

function Described() {
  const meta = useCubeMeta()
  const sql = useCubeSql(words)
  const dry = useDryRun(words)
  if (!meta.response || !sql.response || !dry.response) return show('described')
  return show('described', {
    cubes: meta.response.cubes.map(({ name }) => name),
    sql: sql.response.sql().slice(0, 6),
    type: dry.response.queryType,
  })
}

const renderer = createElement(QueryRenderer, {
  query: words,
  loadSql: true,
  render: ({ resultSet, sqlQuery, error }) =>
    show('renderer', error?.toString() ?? (resultSet && sqlQuery ? resultSet.series() : undefined)),
})

const choose = (member, choices) => {
  const id = member.name.replace('.', '-')
  return createElement('button', { key: id, id, type: 'button', onClick: () => choices.add(member) }, member.title)
}

const builder = createElement(QueryBuilder, {
  cubeApi: overHttp,
  defaultQuery: {},
  wrapWithQueryRenderer: true,
  render: ({ availableMeasures, availableDimensions, measures, updateMeasures, updateDimensions, resultSet }) =>
    createElement(
      'section',
      { id: 'builder' },
      ...availableMeasures.map(member => choose(member, updateMeasures)),
      ...availableDimensions.map(member => choose(member, updateDimensions)),
      show('built', resultSet ? { chosen: measures.map(({ name }) => name), rows: resultSet.tablePivot() } : undefined),
    ),
})

createRoot(document.body).render(
  createElement(
    CubeProvider,
    { cubeApi: overHttp },
    createElement(Query),
    createElement(Live),
    createElement(Refused),
    createElement(Described),
    renderer,
    builder,
  ),
)
