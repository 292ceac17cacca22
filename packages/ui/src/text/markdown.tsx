import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

const plugins = [remarkGfm]

/** Links open beside the page and tell it nothing; a picture is its words and its address, since loading it would tell who looks. */
const components: Components = {
  a: ({ href, children }) =>
    href && /^(?:https?:|mailto:)/i.test(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ alt, src }) => <span className="hd-muted">{alt || (typeof src === 'string' ? src : '')}</span>,
  table: ({ children }) => (
    <div className="hd-prose-table">
      <table>{children}</table>
    </div>
  ),
}

/** Markdown of GitHub's kind. HTML in it stands there as text. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  )
})
