import { html } from './html.ts'

/** A hexahedron in three strokes: its outline, the fold across the top, the edge towards the reader. */
export const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"><path d="M12 2 21 7v10l-9 5-9-5V7Z"/><path d="m3 7 9 5 9-5"/><path d="M12 12v10"/></svg>`
