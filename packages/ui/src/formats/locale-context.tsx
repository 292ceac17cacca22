import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { english } from '../messages/locales/en-US.ts'
import { createTranslate, type Messages, type Translate } from '../messages/messages.ts'

export interface LocaleValue {
  /** BCP 47; numbers and dates are written in it. */
  readonly locale: string
  readonly t: Translate
  /** IANA name of the zone of moments; the browser's where there is none. Times of rows are of their query's zone already. */
  readonly timeZone: string | undefined
}

const LocaleContext = createContext<LocaleValue>({
  locale: 'en-US',
  t: createTranslate(english, 'en-US'),
  timeZone: undefined,
})

/** The language of everything inside. */
export function LocaleRoot(props: {
  readonly locale: string
  readonly messages: Messages
  readonly timeZone?: string | undefined
  readonly children: ReactNode
}) {
  const { locale, messages, timeZone, children } = props
  const value = useMemo(
    () => ({ locale, t: createTranslate(messages, locale), timeZone }),
    [locale, messages, timeZone],
  )
  return <LocaleContext value={value}>{children}</LocaleContext>
}

export function useLocale(): LocaleValue {
  return useContext(LocaleContext)
}
