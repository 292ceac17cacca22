import { spawn } from 'node:child_process'

/** Programs that open a page, best first. On Windows not `cmd start`, which splits an address at `&`. */
function openers(platform: NodeJS.Platform): readonly (readonly [string, ...string[]])[] {
  if (platform === 'darwin') return [['open']]
  if (platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']]
  return [['xdg-open'], ['gio', 'open'], ['wslview']]
}

/** Opens a page in the person's browser, quietly: what a browser has to say is not for this terminal. @returns whether one started. */
export async function openBrowser(url: string, platform: NodeJS.Platform): Promise<boolean> {
  // The address is a server's: nothing but a page is opened.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return false
  for (const [program, ...argv] of openers(platform)) {
    if (await starts(program, [...argv, new URL(url).href])) return true
  }
  return false
}

function starts(program: string, argv: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(program, argv, { detached: true, stdio: 'ignore', windowsHide: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
