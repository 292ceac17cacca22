import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLString,
} from 'graphql'
import type { NamedMember } from './names.ts'

/** Operators by the type of a member (contract/behaviour/query.md section 8). `set: false` asks for missing values. */
const float = filterInput('FloatFilter', {
  one: ['equals', 'notEquals', 'gt', 'lt', 'gte', 'lte'],
  many: ['in', 'notIn'],
  of: GraphQLFloat,
})

const string = filterInput('StringFilter', {
  one: ['equals', 'notEquals'],
  many: ['in', 'notIn', 'contains', 'notContains', 'startsWith', 'notStartsWith', 'endsWith', 'notEndsWith'],
  of: GraphQLString,
})

const dateTime = filterInput('DateTimeFilter', {
  one: ['beforeDate', 'beforeOrOnDate', 'afterDate', 'afterOrOnDate'],
  many: ['equals', 'notEquals', 'in', 'notIn', 'inDateRange', 'notInDateRange'],
  of: GraphQLString,
})

export const filterInputs: Readonly<Record<NamedMember['type'], GraphQLInputObjectType>> = {
  number: float,
  string,
  time: dateTime,
}

export const orderDirection = new GraphQLEnumType({ name: 'OrderBy', values: { asc: {}, desc: {} } })

function filterInput(
  name: string,
  { one, many, of }: { one: readonly string[]; many: readonly string[]; of: GraphQLInputType },
): GraphQLInputObjectType {
  const list = new GraphQLList(of)
  return new GraphQLInputObjectType({
    name,
    fields: {
      ...Object.fromEntries(one.map(operator => [operator, { type: of }])),
      ...Object.fromEntries(many.map(operator => [operator, { type: list }])),
      set: { type: GraphQLBoolean },
    },
  })
}
