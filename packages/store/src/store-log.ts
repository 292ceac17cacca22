/** Receives what the store does and why, as sentences for the operator. Never carries a secret. */
export type StoreLog = (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void

export const silent: StoreLog = () => {}
