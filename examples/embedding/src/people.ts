import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Person } from './hedron.ts'

/** Who may sign in to the product. A real one has them in a database, with hashed passwords. */
const people: readonly (Person & { readonly password: string })[] = [
  { email: 'ann@acme.example', name: 'Ann Archer', customer: 'acme-corp', password: 'acme' },
  { email: 'bob@globex.example', name: 'Bob Burns', customer: 'globex', password: 'globex' },
]

/** Sign-in of the product itself: Hedron knows nothing of it. */
export function createSignIn() {
  const signedIn = new Map<string, Person>()
  return {
    /** @returns the value of the product's cookie; null where e-mail or password is wrong. */
    signIn(email: string, password: string): string | null {
      const person = people.find(each => each.email === email.trim().toLowerCase())
      const wanted = Buffer.from((person?.password ?? '').padEnd(64))
      const isRight = timingSafeEqual(wanted, Buffer.from(password.slice(0, 64).padEnd(64)).subarray(0, 64))
      if (person === undefined || !isRight) return null
      const id = randomBytes(24).toString('base64url')
      signedIn.set(id, person)
      return id
    },
    find: (id: string | undefined): Person | null => (id === undefined ? null : (signedIn.get(id) ?? null)),
    signOut: (id: string | undefined) => id !== undefined && signedIn.delete(id),
  }
}
