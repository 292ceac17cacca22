export type { Effects, Writer } from './effects.ts'
export { main } from './main.ts'
