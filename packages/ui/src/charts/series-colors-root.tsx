import { createContext, type ReactNode, useContext, useState } from 'react'
import { createSeriesColors, type SeriesColors } from './series-colors.ts'

const SeriesColorsContext = createContext<SeriesColors>(createSeriesColors())

/** The same series has the same colour on all charts inside, for as long as this stays. */
export function SeriesColorsRoot({ children }: { readonly children: ReactNode }) {
  const [colors] = useState(createSeriesColors)
  return <SeriesColorsContext value={colors}>{children}</SeriesColorsContext>
}

export function useSeriesColors(): SeriesColors {
  return useContext(SeriesColorsContext)
}
