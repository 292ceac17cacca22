import { ErrorState } from '@hedron/ui'
import { Component, type ErrorInfo, type ReactNode, useId } from 'react'
import './widget-box.css'

interface WidgetBoxProps {
  readonly id: string
  readonly title: string | null
  /** Newer rows are under way; the ones that are shown stay. */
  readonly isAsking?: boolean
  readonly tools?: ReactNode
  readonly children: ReactNode
}

/** The frame of one widget: its title, its tools, and what breaks inside stays inside. */
export function WidgetBox({ id, title, isAsking = false, tools, children }: WidgetBoxProps) {
  const titleId = useId()
  return (
    <section
      className="widget"
      data-widget={id}
      aria-busy={isAsking}
      {...(title === null ? {} : { 'aria-labelledby': titleId })}
    >
      {(title !== null || tools !== undefined) && (
        <header className="widget-head">
          {title !== null && (
            <h2 id={titleId} title={title}>
              {title}
            </h2>
          )}
          {tools}
        </header>
      )}
      <div className="widget-body">
        <Breaker>{children}</Breaker>
      </div>
    </section>
  )
}

class Breaker extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo) {
    console.error(error, componentStack)
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return <ErrorState message={error.message} onRetry={() => this.setState({ error: null })} />
  }
}
