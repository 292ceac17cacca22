import type { Effects } from '../effects.ts'
import { hasColour, type Output } from '../framework/output.ts'
import type { DevicePrompt } from './device-login.ts'

/** Codes of ECMA-48: bold and underlined, bold and green, faint. */
const styles = { address: '1;4', code: '1;32', aside: '2' } as const

/**
 * Tells a person where to go and what to confirm (contract/cli-core.md section 4.1). With `--json` the standard output belongs to the
 * document, so it is told on the other.
 */
export async function showDevicePrompt(
  { stdout, stderr, environment, openBrowser }: Pick<Effects, 'stdout' | 'stderr' | 'environment' | 'openBrowser'>,
  { json }: Pick<Output, 'json'>,
  { url, userCode }: DevicePrompt,
  mayOpen: boolean,
): Promise<void> {
  const writer = json ? stderr : stdout
  const isColoured = hasColour(writer, environment)
  const styled = (style: keyof typeof styles, text: string) =>
    isColoured ? `\u001b[${styles[style]}m${text}\u001b[0m` : text
  writer.write(
    [
      '',
      'To authorize this CLI, open the following URL in your browser:',
      `  ${styled('address', url)}`,
      '',
      `and confirm this code:  ${styled('code', userCode)}`,
      '',
      '',
    ].join('\n'),
  )
  if (mayOpen && (await openBrowser(url))) writer.write(`${styled('aside', 'Opened your browser automatically…')}\n`)
  writer.write(`${styled('aside', 'Waiting for authorization…')}\n`)
}
