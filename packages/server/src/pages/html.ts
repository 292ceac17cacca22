/** Markup that is safe to send: made by `html` alone. */
export interface Html {
  readonly markup: string
}

type Hole = string | number | Html | readonly Html[]

/** Markup with holes. What goes into a hole is escaped, for text and for quoted attributes alike, unless `html` made it. */
export function html(strings: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  const parts = strings.map((text, index) => {
    const hole = holes[index]
    return hole === undefined ? text : text + fill(hole)
  })
  return { markup: parts.join('') }
}

function fill(hole: Hole): string {
  if (typeof hole === 'string' || typeof hole === 'number') return escapeText(String(hole))
  return 'markup' in hole ? hole.markup : hole.map(({ markup }) => markup).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (text: string) => text.replace(/[&<>"']/g, character => entities[character] ?? character)
