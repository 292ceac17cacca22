import { GraphQLObjectType, GraphQLScalarType } from 'graphql'

/** A moment as RFC 3339 writes it in UTC. Only ever read: filters on time take strings. */
const dateTime = new GraphQLScalarType({
  name: 'DateTime',
  description: 'A moment in UTC, for example 2024-01-31T23:00:00.000Z (RFC 3339).',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
})

const usual = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

/** The object that a time dimension is: the time itself, and the beginning of each period that it lies in. */
export const timeDimension = timeType('TimeDimension', ['value', ...usual])

/** A measure that is a time has no periods to group by. */
export const timeMeasure = timeType('TimeMeasure', ['value'])

/** The type of a time dimension with granularities of its own. */
export const ownTimeDimension = (name: string, granularities: readonly string[]): GraphQLObjectType =>
  timeType(name, ['value', ...new Set([...usual, ...granularities])])

function timeType(name: string, fields: readonly string[]): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    fields: Object.fromEntries(fields.map(field => [field, { type: dateTime }])),
  })
}
