import type * as z from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'

/**
 * Who may call a route. `permission` is checked on the deployment in the path, or account-wide where there is none;
 * `admin` needs an administrator; `caller` any credential; `embed` an embed session; `public` none.
 */
export type Access = { permission: Permission | readonly Permission[] } | 'admin' | 'caller' | 'embed' | 'public'

/** One operation of the platform API as a value: the server binds it, OpenAPI and the client are made from it. */
export interface Route {
  readonly operationId: string
  readonly method: Method
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  readonly tags: readonly [string]
  readonly access: Access
  /** Whether a route for any `caller` is also for embed sessions, which are no users of the console. */
  readonly embeds?: boolean
  /** Path parameters: one schema for each `{name}` in the path. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Clients of the field may leave the body out where the schema allows an empty object. */
  readonly bodyOptional?: boolean
  /** `multipart`: fields as in `body`, plus one part named `file`. */
  readonly consumes?: 'json' | 'multipart'
  /** Status of success; 204 has no body, whatever `response` says. */
  readonly status?: 200 | 204
  /** Shape of the answer. */
  readonly response: z.ZodType
  /** Codes beyond those that every route may answer (validation, authentication, permission). */
  readonly errors: readonly ErrorCode[]
}

/** Keeps the literal types of a route while checking its shape. */
export const route = <const R extends Route>(value: R): R => value

type Parsed<S> = S extends z.ZodType ? z.output<S> : Record<never, never>

/** One file part of a multipart request, read whole; `name` is its filename with folders kept. */
export interface UploadedFile {
  readonly name: string | undefined
  readonly content: Uint8Array
}

/** What a handler gets: the parsed parts of the request. */
export interface RouteInput<R extends Route> {
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined
  readonly files: R extends { readonly consumes: 'multipart' } ? readonly UploadedFile[] : undefined
}

export type RouteOutput<R extends Route> = z.input<R['response']>
