import type { OperationId, RouteInput, RouteOutput, Routes } from '@hedron/contract'
import type { CallContext, Caller } from './caller.ts'

/**
 * One function for each operation of the contract; a missing one is a type error where the platform is put together. A public
 * operation has no caller.
 */
export type Operation<O extends OperationId> = (
  caller: Routes[O]['access'] extends 'public' ? null : Caller,
  input: RouteInput<Routes[O]>,
  context: CallContext,
) => Promise<RouteOutput<Routes[O]>>

/** The operations that the platform answers. `getSpec` needs no platform: the server answers it from the contract alone. */
export type Operations = { readonly [O in Exclude<OperationId, 'getSpec'>]: Operation<O> }
