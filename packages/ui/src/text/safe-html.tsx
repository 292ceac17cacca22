import { createElement, type ReactNode, useMemo } from 'react'
import { safeStyle } from './safe-style.ts'

const elements = new Set(
  `a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i ins kbd li
  mark ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul`.split(
    /\s+/,
  ),
)
const empty = new Set(['br', 'hr', 'col'])
const numbers: Readonly<Record<string, string>> = { colspan: 'colSpan', rowspan: 'rowSpan', start: 'start' }

/**
 * HTML, read into an inert document and rebuilt from the elements, attributes and styles that can do no harm. The server cleaned it
 * when it was written; this holds where it did not, and needs no style attributes that a strict policy would refuse.
 */
export function SafeHtml({ html }: { readonly html: string }) {
  const content = useMemo(() => rebuild(new DOMParser().parseFromString(quiet(html), 'text/html').body, 0), [html])
  return <>{content}</>
}

const deepest = 100
const styleName = 'data-hd-style'

/** Even where nothing is shown, a browser reports each style and handler that the policy of the page refuses. */
function quiet(html: string): string {
  return html.replace(/<[a-z][^>]*>/gi, tag =>
    tag.replace(/\sstyle\s*=/gi, ` ${styleName}=`).replace(/\son([a-z]+)\s*=/gi, ' data-hd-on-$1='),
  )
}

function rebuild(parent: Node, depth: number): ReactNode[] {
  if (depth > deepest) return []
  const content: ReactNode[] = []
  for (const [index, node] of [...parent.childNodes].entries()) {
    if (node.nodeType === Node.TEXT_NODE) content.push(node.textContent)
    if (!(node instanceof Element)) continue
    const name = node.localName
    if (name === 'script' || name === 'style' || name === 'template' || name === 'noscript') continue
    const inner = empty.has(name) ? undefined : rebuild(node, depth + 1)
    if (!elements.has(name)) content.push(...(inner ?? []))
    else content.push(createElement(name, { key: index, ...attributes(node) }, inner))
  }
  return content
}

function attributes(element: Element): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(numbers)) {
    const value = Number(element.getAttribute(name) ?? Number.NaN)
    if (Number.isInteger(value) && value > 0 && value <= 1000) kept[property] = value
  }
  const title = element.getAttribute('title')
  if (title) kept.title = title
  const scope = element.getAttribute('scope')
  if (scope === 'col' || scope === 'row') kept.scope = scope
  const style = safeStyle(element.getAttribute(styleName) ?? element.getAttribute('style') ?? '')
  if (Object.keys(style).length > 0) kept.style = style
  const href = element.localName === 'a' ? element.getAttribute('href') : null
  if (href && /^(?:https?:|mailto:)/i.test(href)) {
    Object.assign(kept, { href, target: '_blank', rel: 'noopener noreferrer nofollow' })
  }
  return kept
}
