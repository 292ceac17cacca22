/** What web sockets may take. Whoever needs more opens another one; whoever abuses one harms nobody but himself. */
export const socketLimits = {
  /** Of one message, in bytes. */
  message: 1024 * 1024,
  /** Sockets of one deployment, and of all. */
  ofDeployment: 1000,
  ofAll: 10_000,
  /** Messages of one socket that are answered at a time; the next ones wait. */
  running: 8,
  /** Messages that wait before nothing more is read from the socket. */
  waiting: 64,
  /** Subscriptions of one socket, and of one deployment. */
  subscriptions: 100,
  subscriptionsOfDeployment: 1000,
  /** Subscribed queries that are run again at a time. */
  refreshes: 8,
  /** Between two runs of a subscribed query, in milliseconds. */
  refreshMs: 5000,
  /** How often each socket is asked whether it is there; after three times without an answer it is ended. */
  heartbeatMs: 15_000,
  missedHeartbeats: 3,
  /** How long a socket may go without a token. */
  unauthorizedMs: 30_000,
  /** How long one answer may take to be read. */
  sendMs: 60_000,
  /** How long a socket may take to close when the server stops. */
  closeMs: 1000,
} as const

export type SocketLimits = { readonly [Name in keyof typeof socketLimits]: number }

/** Why a socket is closed (RFC 6455 section 7.4.1). */
export const closeCodes = { goingAway: 1001, unsupportedData: 1003, policyViolation: 1008 } as const
