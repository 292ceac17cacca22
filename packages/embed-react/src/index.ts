// All that hosts can see of the package.
export {
  HedronApp,
  type HedronAppProps,
  HedronChat,
  type HedronChatProps,
  HedronDashboard,
  type HedronDashboardProps,
} from './components.tsx'
export type { HedronEvents, HedronFrameElement, HedronTheme } from './elements.ts'
export { loadHedron } from './load.ts'
