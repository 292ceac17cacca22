import { useLocale } from '@hedron/ui'
import { Component, type ReactNode } from 'react'
import { CalmPage } from './calm-page.tsx'

interface PageBreakerProps {
  readonly onError: (error: Error) => void
  readonly children: ReactNode
}

/** Says so where a page breaks, instead of leaving it blank: also where a chunk of it does not come. */
export class PageBreaker extends Component<PageBreakerProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: Error) {
    this.props.onError(error)
  }

  override render() {
    return this.state.error === null ? this.props.children : <Broken error={this.state.error} />
  }
}

function Broken({ error }: { readonly error: Error }) {
  const { t } = useLocale()
  return (
    <CalmPage title={t('errorTitle')} body={t('sessionEndedHint')} code={error.message}>
      <button type="button" onClick={() => location.reload()}>
        {t('retry')}
      </button>
    </CalmPage>
  )
}
