import type { ReactNode } from 'react'

/** Strokes on a grid of 16; decoration beside words or an accessible name, never the only sign. */
const shapes = {
  chevron: <path d="m4 6 4 4 4-4" />,
  left: <path d="m10 4-4 4 4 4" />,
  close: <path d="m4 4 8 8m0-8-8 8" />,
  check: <path d="m3 8.5 3.2 3.2L13 5" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth={2} />,
  search: <path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.5-1L14 14" />,
  download: <path d="M8 2.5v7m0 0L5 6.7m3 2.8 3-2.8M3 13h10" />,
  refresh: <path d="M13 8a5 5 0 1 1-1.5-3.6M13 2.5v2.7h-2.7" />,
  copy: <path d="M6 5.5h6.5V13H6zM3.5 10.5V3H10" />,
  table: <path d="M2.5 3.5h11v9h-11zm0 3h11m-7.5 0v6" />,
  chart: <path d="M3 13V8.500m5 4.500V3m5 10V6" />,
  filter: <path d="M2.5 4h11M4.5 8h7m-5 4h3" />,
  warning: <path d="M8 2.5 14 13H2zM8 6.500v3m0 1.800v.01" />,
  lock: <path d="M4 7.500h8V13H4zm1.5 0V5.500a2.5 2.5 0 0 1 5 0v2" />,
  empty: <path d="M2.5 9.5 4.5 3h7l2 6.500V13h-11zm0 0H6l1 1.500h2l1-1.500h3.5" />,
  plus: <path d="M8 3v10M3 8h10" />,
  pencil: <path d="m3 13 .6-2.600L10.8 3.200l2 2L5.6 12.400z" />,
  trash: <path d="M3 4.500h10M6.5 4.500V3h3v1.500m-5 0 .5 8.500h6l.5-8.5" />,
  send: <path d="M8 13V3m0 0L4 7m4-4 4 4" />,
  stop: <path d="M5 5h6v6H5z" fill="currentColor" />,
  history: <path d="M2.8 8a5.2 5.2 0 1 0 1.6-3.700L2.8 5.800m0-3v3h3M8 5v3.200l2 1.3" />,
  up: <path d="M8 13V3M4 7l4-4 4 4" />,
  down: <path d="M8 3v10m4-4-4 4-4-4" />,
  thumbUp: (
    <path d="M5 7.5 7.5 2.500c1 0 1.5.7 1.3 1.700L8.3 6.500H12c.8 0 1.3.7 1.1 1.500l-.9 4c-.1.6-.6 1-1.2 1H5zm0 0H3V13h2" />
  ),
  thumbDown: (
    <path d="m11 8.5-2.5 5c-1 0-1.5-.7-1.3-1.700l.5-2.300H4c-.8 0-1.3-.7-1.1-1.500l.9-4c.1-.6.6-1 1.2-1h6zm0 0h2V3h-2" />
  ),
  comment: <path d="M2.5 3h11v8h-6L4.500 13.500V11h-2z" />,
  share: <path d="M8 9.500V2.500m0 0L5.500 5M8 2.500 10.500 5M3 9v4.500h10V9" />,
  folder: <path d="M2 4h4.500L8 5.500h6V13H2z" />,
  settings: <path d="M2.500 4.500h6m3 0h2m-11 7h2m3 0h6M8.500 3v3m-4 4v3" />,
  undo: <path d="M5.500 3 2.500 6l3 3M2.500 6h7a3.500 3.500 0 0 1 0 7H6" />,
  redo: <path d="m10.500 3 3 3-3 3M13.500 6h-7a3.500 3.500 0 0 0 0 7H10" />,
  calendar: <path d="M2.5 4h11v9.500h-11zm0 3.200h11M5.5 2.500V5m5-2.500V5" />,
  expand: <path d="M9.5 2.500h4v4m0-4-4.5 4.500M6.5 13.500h-4v-4m0 4L7 9" />,
  tool: <path d="m2.8 13.2 5-5m2.4-5.600a3.2 3.2 0 0 0-2.5 4.500L9 8.400a3.2 3.2 0 0 0 4.5-2.600l-1.8 1-1.6-1.600z" />,
  spark: <path d="M8 2.5 9.3 6.7 13.5 8 9.3 9.3 8 13.5 6.7 9.3 2.5 8l4.2-1.300z" />,
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof shapes

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="hd-icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {shapes[name]}
    </svg>
  )
}

/** The mark: a wireframe hexahedron in three strokes. */
export function Mark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path d="M8 1.5 13.6 4.700v6.600L8 14.5 2.4 11.300V4.700z" />
      <path d="M2.4 4.7 8 8l5.6-3.3" />
      <path d="M8 8v6.5" />
    </svg>
  )
}
