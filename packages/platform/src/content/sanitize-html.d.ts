/** The part of it that is used here; it has no types of its own. */
declare module 'sanitize-html' {
  type Attributes = Record<string, string>
  type Transform = (tag: string, attributes: Attributes) => { tagName: string; attribs: Attributes }

  export interface SanitizeOptions {
    allowedTags: string[]
    /** By tag; `*`: of every tag. */
    allowedAttributes: Record<string, string[]>
    allowedSchemes: string[]
    allowedSchemesByTag: Record<string, string[]>
    allowProtocolRelative: boolean
    /** By tag, then by property: patterns of which one has to match the value. */
    allowedStyles: Record<string, Record<string, RegExp[]>>
    disallowedTagsMode: 'discard'
    /** Tags whose content goes with them. */
    nonTextTags: string[]
    /** Deeper tags are left out. */
    nestingLimit: number
    transformTags: Record<string, Transform>
  }

  export default function sanitizeHtml(html: string, options: SanitizeOptions): string
}
