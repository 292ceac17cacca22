import type { Deployment, User } from '@hedron/contract'

/** Answers in the shapes of the contract. */
export const administrator: User = {
  id: 1,
  email: 'admin@localhost',
  username: 'admin',
  firstName: 'Ada',
  picture: null,
  title: null,
  externalId: null,
  isAdmin: true,
  isDeactivated: false,
  defaultRoles: [],
  notifications: {},
  settings: null,
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
  lastLogin: null,
}

export const deployment = (id: number, name: string, base = 'http://localhost:4000'): Deployment => ({
  id,
  name,
  deploymentUrl: `${base}/data/${id}`,
  creationStep: 'ready',
})

/** A list answer with its deprecated twin. */
export const page = <T>(items: readonly T[], endCursor: string | null = null) => ({
  items,
  data: items,
  pageInfo: { hasNextPage: endCursor !== null, hasPreviousPage: false, startCursor: null, endCursor },
})

export const refusal = (statusCode: number, code: string, message: string, more: object = {}) => ({
  status: statusCode,
  body: { statusCode, error: 'Error', message, code, ...more },
})
