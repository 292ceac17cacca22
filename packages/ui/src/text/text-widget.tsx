import './text.css'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../states/states.tsx'

const Markdown = lazy(() => import('./markdown.tsx').then(({ Markdown }) => ({ default: Markdown })))
const SafeHtml = lazy(() => import('./safe-html.tsx').then(({ SafeHtml }) => ({ default: SafeHtml })))

/** Somebody's text: Markdown without HTML, or HTML of which only harmless parts are shown. Both are chunks of their own. */
export function TextWidget(props: { readonly markdown: string } | { readonly html: string }) {
  return (
    <div className="hd-prose">
      <Suspense fallback={<Skeleton shape="text" />}>
        {'html' in props ? <SafeHtml html={props.html} /> : <Markdown text={props.markdown} />}
      </Suspense>
    </div>
  )
}
