import * as z from 'zod'
import { type ErrorCode, errorCodes, errorStatus } from './errors.ts'
import type { Route } from './route.ts'
import { ErrorResponse } from './schemas/common.ts'
import { MergeConflict } from './schemas/data-model.ts'

type Json = Record<string, unknown>

const always: readonly ErrorCode[] = ['internal_error', 'rate_limited']
const authenticated: readonly ErrorCode[] = ['not_authenticated']
const limited: readonly ErrorCode[] = ['permission_missing', 'deployment_out_of_scope']
const reasons: Readonly<Record<number, string>> = {
  400: 'The request is not as the contract says.',
  401: 'No valid credential.',
  403: 'The credential may not do this.',
  404: 'Not there, or not visible to this credential.',
  409: 'In conflict with what is there; nothing was changed.',
  429: 'Too many requests.',
  500: 'A failure of the server, logged under the request id.',
}

/**
 * The OpenAPI 3.1.0 document of the platform API (SPEC, "API specification"; API version 1.0.0). Made from the routes alone, so
 * it holds each operation that is served and no other.
 *
 * @param server base address under which clients reach the service.
 */
export function openApiDocument(routes: readonly Route[], server: string): Json {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, components) }
  }
  components.reference(ErrorResponse)
  components.reference(MergeConflict)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hedron Platform API',
      version: '1.0.0',
      description: 'Deployments, data-model files and branches, keys and everything else of a Hedron server.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    security: [{ bearerAuth: [] }, { apiKeyAuth: [] }],
    tags: [...new Set(routes.map(route => route.tags[0]))].map(name => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer' },
        apiKeyAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Api-Key <key>`' },
        embedTokenAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Embed-Token <token>`' },
      },
      schemas: components.schemas(),
    },
  }
}

function operation(route: Route, components: Components): Json {
  const parameters = [...fields(route.params, 'path', components), ...fields(route.query, 'query', components)]
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: route.tags,
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(route.access === 'embed' ? { security: [{ embedTokenAuth: [] }] } : {}),
    ...(typeof route.access === 'object' ? { 'x-permission': route.access.permission } : { 'x-access': route.access }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body, components) }),
    responses: {
      ...(route.status === 204
        ? { 204: { description: 'Done.' } }
        : {
            200: {
              description: 'Done.',
              content: { 'application/json': { schema: components.reference(route.response) } },
            },
          }),
      ...errorResponses(route),
    },
  }
}

function requestBody(route: Route, body: z.ZodType, components: Components): Json {
  const schema = components.reference(body)
  if (route.consumes !== 'multipart') {
    return { required: route.bodyOptional !== true, content: { 'application/json': { schema } } }
  }
  const file = { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] }
  return { required: true, content: { 'multipart/form-data': { schema: { allOf: [schema, file] } } } }
}

function fields(schema: z.ZodObject | undefined, place: 'path' | 'query', components: Components): Json[] {
  if (schema === undefined) return []
  return Object.entries(schema.shape).map(([name, field]) => {
    if (!(field instanceof z.ZodType)) throw new Error(`${name} is not a schema`)
    const { description, deprecated, ...rest } = components.reference(field)
    return {
      name,
      in: place,
      required: place === 'path' || !field.safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      ...(deprecated === undefined ? {} : { deprecated }),
      schema: rest,
    }
  })
}

function errorResponses(route: Route): Json {
  const codes = new Set<ErrorCode>([...always, ...route.errors])
  if (route.access !== 'public') for (const code of authenticated) codes.add(code)
  if (route.access === 'admin') codes.add('admin_required')
  if (route.access === 'embed') codes.add('embed_session_required')
  if (route.access === 'caller' && !route.embeds) codes.add('embed_session_refused')
  if (typeof route.access === 'object') for (const code of limited) codes.add(code)
  if (route.params || route.query || route.body) codes.add('invalid_request')
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorCodes.filter(code => codes.has(code))) {
    byStatus.set(errorStatus(code), [...(byStatus.get(errorStatus(code)) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: `${reasons[status] ?? 'Refused.'} Codes: ${list.join(', ')}.`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

/** Gathers the named schemas that operations refer to; unnamed ones are written where they stand. */
class Components {
  private readonly named = new Map<string, Json>()

  reference(schema: z.ZodType): Json {
    const { $defs, ...root } = plain(z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }))
    for (const [id, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) this.add(id, definition)
    const id = schema.meta()?.id
    if (id === undefined) return relocate(root)
    this.add(id, root)
    return { $ref: `#/components/schemas/${id}` }
  }

  schemas(): Record<string, Json> {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  private add(id: string, definition: Json): void {
    if (!this.named.has(id)) this.named.set(id, relocate(definition, id))
  }
}

const plain = ({ $schema: _, ...schema }: z.core.JSONSchema.BaseSchema): Json => ({ ...schema })

/** Points references of a stand-alone JSON schema at the document's components. */
function relocate<T>(value: T, self?: string): T {
  const text = JSON.stringify(value, (key, inner) => {
    if (key === 'id' && typeof inner === 'string') return undefined
    if (key === '$ref' && inner === '#' && self !== undefined) return `#/components/schemas/${self}`
    if (key === '$ref' && typeof inner === 'string') return inner.replace('#/$defs/', '#/components/schemas/')
    return withNullableList(inner)
  })
  return JSON.parse(text)
}

/** A list or null as one schema with two types, so that tools that read one level find the items. */
function withNullableList(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('anyOf' in schema) || !Array.isArray(schema.anyOf))
    return schema
  const { anyOf, ...rest } = schema
  const [list, none] = anyOf
  if (anyOf.length !== 2 || list?.type !== 'array' || none?.type !== 'null') return schema
  return { ...rest, ...list, type: ['array', 'null'] }
}
