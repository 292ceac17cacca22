import type { Caller } from '../caller.ts'

/** Whom commits name. */
export interface Author {
  readonly name: string
  readonly email: string
}

export const authorOf = ({ name, email }: Caller): Author => ({ name, email })
