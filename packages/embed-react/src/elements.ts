// One source for all who speak with frames; the built package has a copy of it.
export type { HedronEvents, HedronFrameElement, HedronTheme } from '@hedron/embed/host'
