import { expect, test } from 'vitest'
import { describeModel, describeViewGroups } from '../../src/index.ts'
import { everyone, modelOf } from '../support/model.ts'

const model = modelOf(`
cubes:
  - name: orders
    sql_table: orders
    public: false
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: buyer, sql: buyer, type: string, key: id, order: desc, links: [{ name: page, label: Page, url: "'/' || {id}", icon: eye, primary: true, params: [{ key: q, value: buyer }] }] }
    measures: [{ name: count, type: count, cumulative: true }]
views:
  - name: sales
    view_group: all
    meta: { default_ui_filters: [{ member: "{anything}" }] }
    cubes: [{ join_path: orders, includes: "*", prefix: true }]
  - name: few
    cubes: [{ join_path: orders, includes: [count] }]
  - name: hidden
    public: false
    view_groups: [all, secret]
    cubes: [{ join_path: orders, includes: [count] }]
view_groups:
  - { name: all, title: Everything, includes: [{ name: inner, description: Small, includes: [few] }] }
  - { name: secret }
`)
const shown = describeModel(model, everyone)
const view = (name: string) => shown.find(cube => cube.name === name)

test('groups hold the views that the caller sees, and views name the groups that they stand in', () => {
  const inner = { name: 'inner', description: 'Small', views: ['few'], includes: ['few'] }
  expect(describeViewGroups(model, shown)).toEqual([
    { name: 'all', title: 'Everything', views: ['sales'], includes: [inner, 'sales'] },
  ])
  expect(view('sales')?.viewGroups).toEqual(['all'])
  expect(view('few')?.viewGroups).toEqual(['inner'])
})

const placesModel = modelOf(`
cubes:
  - name: orders
    sql_table: orders
    joins: [{ name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }, { name: shop, sql: shop, type: string }]
    hierarchies: [{ name: places, levels: [customers.country, customers.city, shop] }]
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: country, sql: country, type: string }
      - { name: city, sql: city, type: string }
views:
  - name: sales
    cubes:
      - { join_path: orders, includes: [places] }
      - { join_path: orders.customers, prefix: true, includes: [{ name: city, title: Town }], excludes: [country] }
    folders:
      - name: All
        includes: [shop, { name: Inner, includes: [{ join_path: orders.customers }, { name: Last, includes: "*" }] }]
`)

test('a view that includes a hierarchy includes its levels, but those that it excludes', () => {
  const [sales] = describeModel(placesModel, everyone).filter(({ type }) => type === 'view')
  expect(sales?.dimensions.map(({ name }) => name)).toEqual(['sales.shop', 'sales.customers_city'])
  expect(sales?.hierarchies).toMatchObject([
    { name: 'sales.places', aliasMember: 'orders.places', levels: ['sales.customers_city', 'sales.shop'] },
  ])
})

test('the addresses of links come and go with their dimension', () => {
  const linked = modelOf(`
cubes:
  - name: people
    sql_table: people
    dimensions:
      - { name: id, sql: id, type: number, links: [{ name: a, label: A, dashboard: "1" }, { name: b, label: B, dashboard: "2" }] }
      - { name: name, sql: name, type: string }
views:
  - { name: without, cubes: [{ join_path: people, includes: "*", excludes: [id] }] }
  - { name: renamed, cubes: [{ join_path: people, includes: [{ name: id, alias: key }], excludes: [id___link_b_url], prefix: true }] }
`)
  const dimensions = (name: string) =>
    describeModel(linked, everyone)
      .find(cube => cube.name === name)
      ?.dimensions.map(dimension => dimension.name)
  expect(dimensions('without')).toEqual(['without.name'])
  expect(dimensions('renamed')).toEqual(['renamed.people_key', 'renamed.people_key___link_a_url'])
})

test('folders are told nested, and flat: merged into the outermost, or each under its path', () => {
  const all = ['sales.shop', 'sales.customers_city']
  const last = { name: 'Last', members: all }
  const [sales] = describeModel(placesModel, everyone).filter(({ type }) => type === 'view')
  expect(sales?.nestedFolders).toEqual([
    { name: 'All', members: ['sales.shop', { name: 'Inner', members: ['sales.customers_city', last] }] },
  ])
  expect(sales?.folders).toEqual([{ name: 'All', members: all }])
  const delimited = describeModel(placesModel, everyone, { nestedFoldersDelimiter: ' / ' }).find(
    ({ type }) => type === 'view',
  )
  expect(delimited?.folders).toEqual([
    { name: 'All', members: ['sales.shop'] },
    { name: 'All / Inner', members: ['sales.customers_city'] },
    { name: 'All / Inner / Last', members: all },
  ])
})

test('links, keys and what is made for them are told under the names of the view', () => {
  const [, buyer, address] = view('sales')?.dimensions ?? []
  expect(buyer).toMatchObject({
    name: 'sales.orders_buyer',
    key: 'sales.orders_id',
    order: 'desc',
    links: [{ name: 'page', label: 'Page', icon: 'eye', primary: true, params: ['q'] }],
  })
  expect(buyer).not.toHaveProperty('synthetic')
  expect(address).toMatchObject({ name: 'sales.orders_buyer___link_page_url', type: 'string', synthetic: true })
  expect(address).not.toHaveProperty('key')
  expect(view('sales')?.measures[0]).toMatchObject({ cumulative: true, cumulativeTotal: true })
  expect(view('sales')?.meta).toEqual({ default_ui_filters: [{ member: '{anything}' }] })
})
