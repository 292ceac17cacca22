// All that hosts can see of the package.
export { type HedronAppProps, HedronApp, HedronChat, type HedronChatProps, HedronDashboard, type HedronDashboardProps } from './components.tsx'
export type { HedronEvents, HedronFrameElement, HedronTheme } from './elements.ts'
export { loadHedron } from './load.ts'
