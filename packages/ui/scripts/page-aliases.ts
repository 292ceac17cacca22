/**
 * What stands in for what where pages are built (vite's `resolve.alias`): components are written for React and its types, and run on
 * Preact, which does the same in 11 kB where React and its DOM take 62 (brotli); whoever opens a dashboard waits for that before anything is
 * drawn. Libraries that ask for React get the same copy.
 */
export const pageAliases = [
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react-dom$/, replacement: 'preact/compat' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/compat/jsx-runtime' },
  { find: /^react$/, replacement: 'preact/compat' },
]
