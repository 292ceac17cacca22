import { expect, test } from 'vitest'
import { describeModel, describeViewGroups } from '../../src/index.ts'
import { modelOf } from '../support/model.ts'

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
const shown = describeModel(model)
const view = (name: string) => shown.find(cube => cube.name === name)

test('groups hold the views that the caller sees, and views name the groups that they stand in', () => {
  const inner = { name: 'inner', description: 'Small', views: ['few'], includes: ['few'] }
  expect(describeViewGroups(model, shown)).toEqual([
    { name: 'all', title: 'Everything', views: ['sales'], includes: [inner, 'sales'] },
  ])
  expect(view('sales')?.viewGroups).toEqual(['all'])
  expect(view('few')?.viewGroups).toEqual(['inner'])
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
