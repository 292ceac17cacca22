import { codeOf } from './store-error.ts'

/** Whether a statement failed because another row has the value already. The transaction is over then. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505'
