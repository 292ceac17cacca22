import type { Page } from 'playwright-core'

/** How many colors a chart has beside its greys; what few dots have is the edge of something. */
export async function colorsOf(page: Page, selector: string): Promise<number> {
  return Number(
    await page.evaluate(`(() => {
      const canvas = document.querySelector(${JSON.stringify(selector)})
      if (canvas === null) return 0
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      const counts = new Map()
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue, opacity] = data.subarray(at, at + 4)
        if (opacity < 255 || Math.max(red, green, blue) - Math.min(red, green, blue) < 40) continue
        const color = [red, green, blue].join()
        counts.set(color, (counts.get(color) ?? 0) + 1)
      }
      return [...counts.values()].filter(count => count >= 20).length
    })()`),
  )
}
