import { toCanvas } from 'html-to-image'

/** Margins of a page and the largest side of a picture, in pixels; browsers make no larger canvases. */
const margin = 24
const largestSide = 16_000

/** What stands on the page as a picture: the whole of it, whatever is in sight. */
export async function pictureOf(element: HTMLElement, background: string): Promise<HTMLCanvasElement> {
  const { scrollWidth, scrollHeight } = element
  const pixelRatio = Math.min(2, largestSide / Math.max(scrollWidth, scrollHeight, 1))
  return toCanvas(element, {
    backgroundColor: background,
    width: scrollWidth,
    height: scrollHeight,
    pixelRatio,
    // Fonts are of this origin and already there; looking for more would ask other sites.
    skipFonts: true,
    filter: node => !(node instanceof HTMLElement && node.dataset.export === 'no'),
  })
}

export async function toPng(element: HTMLElement, background: string): Promise<Blob> {
  const canvas = await pictureOf(element, background)
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  canvas.toBlob(
    blob => (blob === null ? reject(new Error('The browser made no picture.')) : resolve(blob)),
    'image/png',
  )
  return promise
}

/** One page as large as the picture, so that nothing is cut in two; its title is that of the document. */
export async function toPdf(element: HTMLElement, background: string, title: string): Promise<Blob> {
  const [{ jsPDF }, canvas] = await Promise.all([import('jspdf'), pictureOf(element, background)])
  const width = element.scrollWidth + 2 * margin
  const height = element.scrollHeight + 2 * margin
  const document = new jsPDF({
    unit: 'px',
    format: [width, height],
    orientation: width > height ? 'landscape' : 'portrait',
    compress: true,
    hotfixes: ['px_scaling'],
  })
  document.setProperties({ title })
  document.addImage(
    canvas.toDataURL('image/jpeg', 0.92),
    'JPEG',
    margin,
    margin,
    element.scrollWidth,
    element.scrollHeight,
  )
  return document.output('blob')
}
