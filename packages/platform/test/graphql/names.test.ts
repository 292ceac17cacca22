import { buildSchema, GraphQLObjectType, printSchema, validateSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { CubeSchema } from '../../src/graphql/schemas.ts'
import { queryOf, schemaOf, shopSchema } from './shop-schema.ts'

const cube = (name: string, member = 'kind') => `  - name: ${name}
    sql_table: ${name}
    dimensions: [{ name: ${member}, sql: kind, type: string }]
`
/** What a client that reads the schema from its text has against it. */
const problemsOf = ({ schema }: CubeSchema) =>
  validateSchema(buildSchema(printSchema(schema))).map(({ message }) => message)

const model = (...cubes: readonly string[]) => `cubes:\n${cubes.join('')}`

test('the schema is valid, and its names are those that clients of the field send', () => {
  expect(problemsOf(shopSchema)).toEqual([])
  const text = printSchema(shopSchema.schema)
  expect(text).toMatchInlineSnapshot(`
    "type Query {
      """
      One query: its members are joined as the model says, its conditions all hold.
      """
      cube(where: RootWhereInput, limit: Int, offset: Int, timezone: String, renewQuery: Boolean, cache: String, ungrouped: Boolean, orderBy: RootOrderByInput): [Result!]!
    }

    """A row of the answer."""
    type Result {
      """What was ordered."""
      orders(where: OrdersWhereInput, orderBy: OrdersOrderByInput): OrdersMembers!
      order_items(where: OrderItemsWhereInput, orderBy: OrderItemsOrderByInput): OrderItemsMembers!
    }

    type OrdersMembers {
      count: Float
      total: Float
      newest: TimeMeasure
      id: Float

      """How far it is."""
      status: String
      is_gift: String
      created_at: TimeDimension
      due_at: Orders_due_at_Time
    }

    type TimeMeasure {
      value: DateTime
    }

    """A moment in UTC, for example 2024-01-31T23:00:00.000Z (RFC 3339)."""
    scalar DateTime @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time.html")

    type TimeDimension {
      value: DateTime
      second: DateTime
      minute: DateTime
      hour: DateTime
      day: DateTime
      week: DateTime
      month: DateTime
      quarter: DateTime
      year: DateTime
    }

    type Orders_due_at_Time {
      value: DateTime
      second: DateTime
      minute: DateTime
      hour: DateTime
      day: DateTime
      week: DateTime
      month: DateTime
      quarter: DateTime
      year: DateTime
      fortnight: DateTime
    }

    """
    All conditions hold. OR holds where any condition inside it holds, several of one item counted one by one.
    """
    input OrdersWhereInput {
      AND: [OrdersWhereInput!]
      OR: [OrdersWhereInput!]
      count: FloatFilter
      total: FloatFilter
      newest: DateTimeFilter
      id: FloatFilter
      status: StringFilter
      is_gift: StringFilter
      created_at: DateTimeFilter
      due_at: DateTimeFilter
    }

    input FloatFilter {
      equals: Float
      notEquals: Float
      gt: Float
      lt: Float
      gte: Float
      lte: Float
      in: [Float]
      notIn: [Float]
      set: Boolean
    }

    input DateTimeFilter {
      beforeDate: String
      beforeOrOnDate: String
      afterDate: String
      afterOrOnDate: String
      equals: [String]
      notEquals: [String]
      in: [String]
      notIn: [String]
      inDateRange: [String]
      notInDateRange: [String]
      set: Boolean
    }

    input StringFilter {
      equals: String
      notEquals: String
      in: [String]
      notIn: [String]
      contains: [String]
      notContains: [String]
      startsWith: [String]
      notStartsWith: [String]
      endsWith: [String]
      notEndsWith: [String]
      set: Boolean
    }

    input OrdersOrderByInput {
      count: OrderBy
      total: OrderBy
      newest: OrderBy
      id: OrderBy
      status: OrderBy
      is_gift: OrderBy
      created_at: OrderBy
      due_at: OrderBy
    }

    enum OrderBy {
      asc
      desc
    }

    type OrderItemsMembers {
      count: Float
      product: String
    }

    """
    All conditions hold. OR holds where any condition inside it holds, several of one item counted one by one.
    """
    input OrderItemsWhereInput {
      AND: [OrderItemsWhereInput!]
      OR: [OrderItemsWhereInput!]
      count: FloatFilter
      product: StringFilter
    }

    input OrderItemsOrderByInput {
      count: OrderBy
      product: OrderBy
    }

    """
    All conditions hold. OR holds where any condition inside it holds, several of one item counted one by one.
    """
    input RootWhereInput {
      AND: [RootWhereInput!]
      OR: [RootWhereInput!]
      orders: OrdersWhereInput
      order_items: OrderItemsWhereInput
    }

    input RootOrderByInput {
      orders: OrdersOrderByInput
      order_items: OrderItemsOrderByInput
    }"
  `)
})

describe('names that GraphQL has once', () => {
  test('a cube whose name begins with a capital is found in small letters, and under its own name where that is another one', () => {
    const schema = schemaOf(model(cube('Orders'), cube('orders'), cube('Visits')))
    expect(queryOf('{ cube { Orders { kind } } }', {}, schema)).toEqual({ dimensions: ['Orders.kind'] })
    expect(queryOf('{ cube { orders { kind } } }', {}, schema)).toEqual({ dimensions: ['orders.kind'] })
    expect(queryOf('{ cube { visits { kind } } }', {}, schema)).toEqual({ dimensions: ['Visits.kind'] })
    expect(problemsOf(schema)).toEqual([])
  })

  test('cubes whose types would have one name, or one of every schema', () => {
    const schema = schemaOf(
      model(cube('order_items'), cube('OrderItems'), cube('orderItems'), cube('root'), cube('result')),
    )
    expect(problemsOf(schema)).toEqual([])
    const result = schema.schema.getType('Result')
    expect(result instanceof GraphQLObjectType && Object.keys(result.getFields())).toEqual([
      'order_items',
      'OrderItems',
      'orderItems',
      'root',
      'result',
    ])
  })

  test('what cannot be spelt is left out, and the schema says so', () => {
    const schema = schemaOf(model(cube('__orders'), cube('orders', 'OR'), cube('visits', '__kind')))
    expect(problemsOf(schema)).toEqual([])
    expect([...schema.cubes.keys()]).toEqual(['orders'])
    expect(schema.schema.getType('Result')?.description).toBe(
      'A row of the answer. Left out: orders.OR in filters: OR joins conditions there; visits.__kind: GraphQL cannot spell its name; __orders: GraphQL cannot spell its name; visits: it has neither measures nor dimensions to show.',
    )
  })
})
