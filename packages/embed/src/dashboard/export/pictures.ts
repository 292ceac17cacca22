import type { DrawnChart } from '@hedron/ui'

/** The charts that are drawn, by widget: pictures of them are made by the code that draws them. */
export type Pictures = Map<string, DrawnChart>

/** Lets the browser keep a file. */
export function download(name: string, content: Blob | string): void {
  const url = typeof content === 'string' ? content : URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  if (typeof content !== 'string') setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A file name out of a title: without what file systems mean something by, and never hidden or empty. */
export function fileName(title: string, ending: string): string {
  const plain = [...title]
    .filter(character => character >= ' ' && !'\\/:*?"<>|\u007f'.includes(character))
    .join('')
    .trim()
    .replace(/^\.+/, '')
    .slice(0, 100)
  return `${plain === '' ? 'dashboard' : plain}.${ending}`
}
