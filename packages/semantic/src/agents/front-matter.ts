import type { SourceFile } from '../shapes/source.ts'

export interface FrontMatter {
  /** The front matter alone, on the lines where it stands in the file. Empty where there is none. */
  readonly head: SourceFile
  readonly body: string
  /** False: it begins and never ends. */
  readonly isClosed: boolean
}

const boundary = /^---[ \t]*$/

/** Takes a Markdown file apart: keys between two lines of `---` at its very beginning, and the text below. */
export function splitFrontMatter({ path, content }: SourceFile): FrontMatter {
  const lines = content.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (!boundary.test(lines[0] ?? '')) return { head: { path, content: '' }, body: lines.join('\n'), isClosed: true }
  const end = lines.findIndex((line, index) => index > 0 && boundary.test(line))
  const head = ['', ...lines.slice(1, end === -1 ? undefined : end)].join('\n')
  return {
    head: { path, content: head },
    body: end === -1 ? '' : lines.slice(end + 1).join('\n'),
    isClosed: end !== -1,
  }
}
