import { defineConfig } from 'vite'
import { pageAliases } from '../scripts/page-aliases.ts'

/** The gallery is built as pages are, so that what its tests see is what is served. */
export default defineConfig({
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic' } },
  resolve: { alias: pageAliases },
  build: { target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 1500 },
})
