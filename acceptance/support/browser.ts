import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

/** Debian's Chromium, or the one that `HEDRON_TEST_CHROMIUM` names; undefined where there is none, and tests of pages are left out. */
export const chromiumPath = [
  process.env.HEDRON_TEST_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(path => path !== undefined && existsSync(path))

/**
 * Starts Chromium. It reaches this machine alone, whatever a page asks for; names below `.localhost` are this machine, so that tests have pages of
 * several origins.
 */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: [
      // Its sandbox needs a user that is not root.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  })
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the embedded pages unless they are built of their sources, as `npm start` does. */
export function buildPages(): void {
  execFileSync(process.execPath, ['scripts/build-pages.mjs'], { cwd: root, stdio: 'inherit' })
}
