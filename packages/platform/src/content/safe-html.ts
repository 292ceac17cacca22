import type { SanitizeOptions } from 'sanitize-html'

/**
 * The HTML of a report without anything that runs, loads, listens, submits, frames, or leads somewhere but by a plain link: text,
 * tables, lists, pictures that are written out, and colours, sizes and spaces. Only what is known to be harmless is kept, so what
 * browsers will learn to do is left out too.
 *
 * Cleaned when it is written, because clients of the field show what they read. Cleaning what is clean gives the same text.
 */
export async function cleanHtml(html: string): Promise<string> {
  // Most servers never see a report of HTML.
  const { default: sanitize } = await import('sanitize-html')
  return sanitize(html, options)
}

const longest = 200_000
const mostTags = 10_000

/**
 * Whether HTML is more than can be cleaned without keeping every other caller waiting: the time that tags take grows with the square
 * of how deep they nest.
 *
 * @returns null, or why, as the end of a sentence.
 */
export function tooMuchHtml(html: string): string | null {
  if (html.length > longest) return `it is longer than ${longest} characters of HTML`
  if (html.split('<', mostTags + 2).length > mostTags + 1) return `it has more than ${mostTags} tags`
  return null
}

const words = (text: string) => text.trim().split(/\s+/)

const tags = words(`
  a abbr address article aside b blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure
  footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strong sub summary sup table
  tbody td tfoot th thead time tr u ul var`)

/** A picture in the text itself; SVG is a document and can hold links of its own. */
const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/i
/** With no scheme a link would lead into the page that shows the report. */
const link = /^(?:https?:\/\/|mailto:)/i

/** Words, numbers, colours and quoted names; of functions only those that are colours. Nothing with an address. */
const plainStyle = [/^(?:[\w\s#%.,+"'-]|\b(?:rgb|hsl)a?\([\d\s.,%/-]*\))*$/i]

const styles = words(`
  background-color border border-bottom border-collapse border-color border-left border-radius border-right border-spacing
  border-style border-top border-width color display font font-family font-size font-style font-variant-numeric font-weight gap height
  justify-content align-items flex flex-direction flex-wrap grid-template-columns letter-spacing line-height list-style-type margin
  margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width opacity overflow padding padding-bottom
  padding-left padding-right padding-top text-align text-decoration text-indent text-transform vertical-align white-space width
  word-break`)

const options: SanitizeOptions = {
  allowedTags: tags,
  allowedAttributes: {
    '*': ['style', 'title', 'dir', 'lang', 'align', 'valign'],
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    td: ['colspan', 'rowspan', 'headers'],
    th: ['colspan', 'rowspan', 'scope'],
    col: ['span', 'width'],
    colgroup: ['span'],
    ol: ['start', 'type', 'reversed'],
    li: ['value'],
    time: ['datetime'],
    details: ['open'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['data'] },
  allowProtocolRelative: false,
  allowedStyles: { '*': Object.fromEntries(styles.map(name => [name, plainStyle])) },
  disallowedTagsMode: 'discard',
  nonTextTags: words(
    'script style textarea option noscript template title iframe noembed noframes xmp plaintext svg math object',
  ),
  nestingLimit: 100,
  transformTags: {
    a: (_, { href, title, style }) => ({
      tagName: 'a',
      attribs: {
        ...(href !== undefined && link.test(href.trim()) ? { href: href.trim() } : {}),
        ...(title === undefined ? {} : { title }),
        ...(style === undefined ? {} : { style }),
        // The page that shows the report is neither left nor told of to where the link leads.
        target: '_blank',
        rel: 'noopener noreferrer nofollow',
      },
    }),
    img: (_, { src, ...attributes }) => ({
      tagName: 'img',
      attribs: src !== undefined && picture.test(src) ? { src, ...attributes } : attributes,
    }),
  },
}
