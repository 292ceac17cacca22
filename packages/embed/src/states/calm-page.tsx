import type { ReactNode } from 'react'
import './calm-page.css'

interface CalmPageProps {
  readonly title: string
  readonly body: string
  /** To quote when asking for help. */
  readonly code?: string | undefined
  readonly children?: ReactNode
}

/** A whole page that says what is the matter, what to do, and nothing else. */
export function CalmPage({ title, body, code, children }: CalmPageProps) {
  return (
    <main className="calm" role="alert">
      <h1>{title}</h1>
      <p>{body}</p>
      {children}
      {code === undefined ? null : <p className="calm-code">{code}</p>}
    </main>
  )
}
