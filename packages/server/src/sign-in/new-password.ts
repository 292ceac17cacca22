import type { Form } from './form-body.ts'

/** The contract's limits of a password. */
const shortest = 8
const longest = 1024

/** What is wrong with the two fields of a new password; null: nothing. */
export function newPasswordProblem(form: Form): string | null {
  const next = form.get('next') ?? ''
  if (next !== (form.get('again') ?? '')) return 'The two new passwords differ.'
  if (next.length < shortest) return `The new password has fewer than ${shortest} characters.`
  if (next.length > longest) return `The new password has more than ${longest} characters.`
  return null
}
