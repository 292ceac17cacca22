import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import { filterInputs, orderDirection } from './filter-inputs.ts'
import { groupWords, type NamedCube, type NamedMember, type NamedModel } from './names.ts'
import { ownTimeDimension, timeDimension, timeMeasure } from './time-types.ts'

interface CubeTypes {
  readonly cube: NamedCube
  readonly members: GraphQLObjectType
  readonly where: GraphQLInputObjectType
  readonly orderBy: GraphQLInputObjectType
}

/**
 * The schema of what one caller sees of a model: `query { cube(where, …) { <cube>(where, orderBy) { <member> } } }`. Names and
 * arguments are those that clients of the field send (contract/behaviour/query.md section 8).
 */
export function buildSchema({ cubes, omitted }: NamedModel): GraphQLSchema {
  const types = cubes.map(cubeTypes)
  const byField = <T>(value: (types: CubeTypes) => T) =>
    Object.fromEntries(types.map(each => [each.cube.field, value(each)]))
  const rootWhere: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: 'RootWhereInput',
    description: groupsDescription,
    fields: () => ({ ...groups(rootWhere), ...byField(({ where }) => ({ type: where })) }),
  })
  const rootOrderBy = new GraphQLInputObjectType({
    name: 'RootOrderByInput',
    fields: byField(({ orderBy }) => ({ type: orderBy })),
  })
  const result = new GraphQLObjectType({
    name: 'Result',
    description: ['A row of the answer.', ...(omitted.length > 0 ? [`Left out: ${omitted.join('; ')}.`] : [])].join(
      ' ',
    ),
    fields: byField(
      ({ cube, members, where, orderBy }): GraphQLFieldConfig<unknown, unknown> => ({
        type: new GraphQLNonNull(members),
        ...(cube.description === undefined ? {} : { description: cube.description }),
        args: { where: { type: where }, orderBy: { type: orderBy } },
      }),
    ),
  })
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: {
      cube: {
        description: 'One query: its members are joined as the model says, its conditions all hold.',
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(result))),
        args: {
          where: { type: rootWhere },
          limit: { type: GraphQLInt },
          offset: { type: GraphQLInt },
          timezone: { type: GraphQLString },
          renewQuery: { type: GraphQLBoolean },
          cache: { type: GraphQLString },
          ungrouped: { type: GraphQLBoolean },
          orderBy: { type: rootOrderBy },
        },
      },
    },
  })
  // Names were chosen to be valid, and checking the schema of a large model would cost more than building it.
  return new GraphQLSchema({ query, assumeValid: true })
}

const groupsDescription =
  'All conditions hold. OR holds where any condition inside it holds, several of one item counted one by one.'

const groups = (type: GraphQLInputObjectType) => {
  const list = new GraphQLList(new GraphQLNonNull(type))
  return { AND: { type: list }, OR: { type: list } }
}

function cubeTypes(cube: NamedCube): CubeTypes {
  const { typeName } = cube
  const byMember = <T>(members: readonly NamedMember[], value: (member: NamedMember) => T) =>
    Object.fromEntries(members.map(member => [member.field, value(member)]))
  const filtered = cube.members.filter(({ field }) => !groupWords.has(field))
  const where: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${typeName}WhereInput`,
    description: groupsDescription,
    fields: () => ({ ...groups(where), ...byMember(filtered, ({ type }) => ({ type: filterInputs[type] })) }),
  })
  return {
    cube,
    where,
    members: new GraphQLObjectType({
      name: `${typeName}Members`,
      fields: byMember(cube.members, member => ({
        type: outputType(cube, member),
        ...(member.description === undefined ? {} : { description: member.description }),
      })),
    }),
    orderBy: new GraphQLInputObjectType({
      name: `${typeName}OrderByInput`,
      fields: byMember(cube.members, () => ({ type: orderDirection })),
    }),
  }
}

function outputType({ typeName }: NamedCube, { field, kind, type, granularities }: NamedMember): GraphQLOutputType {
  if (type === 'number') return GraphQLFloat
  if (type === 'string') return GraphQLString
  if (kind === 'measure') return timeMeasure
  return granularities.length === 0 ? timeDimension : ownTimeDimension(`${typeName}_${field}_Time`, granularities)
}
