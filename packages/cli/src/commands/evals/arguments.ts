import { usage } from '../../framework/failure.ts'
import { duration, flag, optional, required, rowId } from '../../framework/parameter.ts'

export const runArgument = required(rowId, 'id of the run')

export const waitOptions = {
  wait: flag('wait for the end; fail unless every question passed'),
  timeout: optional(duration, 'give up waiting after this long (default: 30m)'),
  poll: optional(duration, 'time between two looks (default: 5s)'),
}

interface WaitInput {
  readonly wait: boolean
  readonly timeout: number | undefined
  readonly poll: number | undefined
}

/** @throws {Failure} `usage` */
export function checkWait({ wait, timeout, poll }: WaitInput): void {
  if (!wait && (timeout !== undefined || poll !== undefined)) throw usage('--timeout and --poll need --wait')
}
