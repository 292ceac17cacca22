const properties = new Set(
  `align-items background background-color border border-bottom border-collapse border-color border-left border-radius border-right
  border-spacing border-style border-top border-width color display flex flex-direction flex-wrap float font font-family font-size
  font-style font-variant-numeric font-weight gap grid-template-columns height justify-content letter-spacing line-height list-style
  margin margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width opacity overflow padding
  padding-bottom padding-left padding-right padding-top text-align text-decoration text-indent text-transform vertical-align
  white-space width word-break`.split(/\s+/),
)

/** The declarations of a style attribute that neither load anything nor leave the place of their element, as React takes them. */
export function safeStyle(text: string): Record<string, string> {
  const style: Record<string, string> = {}
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, colon).trim().toLowerCase()
    const value = declaration
      .slice(colon + 1)
      .replace(/!important\s*$/i, '')
      .trim()
    if (colon < 1 || !properties.has(name) || value === '' || value.length > 200) continue
    if (/[\\{}<>@]|\/\*|(?:url|image|image-set|cross-fade|element|src|expression)\s*\(/i.test(value)) continue
    style[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())] = value
  }
  return style
}
