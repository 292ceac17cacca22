import type { Effects } from '../effects.ts'
import type { Output } from '../framework/output.ts'
import { version } from '../version.ts'
import { isNewer } from './release.ts'
import { readRemembered, remember } from './remembered.ts'

/** Milliseconds between two looks for a release. */
const interval = 24 * 3_600_000

/**
 * Says at the end of a run that there is a newer release, and once a day has another process look for one. The run itself asks
 * nobody and waits for nobody. Programs and CI are told nothing.
 *
 * @param failed Whether the run ended with a refusal by the server, which a newer client may not get.
 */
export async function noticeUpdate(effects: Effects, output: Output, failed: boolean): Promise<void> {
  const { build, environment, stderr } = effects
  const isWanted = environment.HEDRON_NO_UPDATE_CHECK === undefined && environment.CI === undefined
  const isPossible = build?.key != null && (build.address !== null || environment.HEDRON_UPDATE_URL !== undefined)
  if (!isWanted || !isPossible || output.json || !(stderr.isTerminal || failed)) return
  const { checkedAt, latest } = await readRemembered(effects)
  if (latest !== null && isNewer(latest, version)) {
    output.progress(`\nA new release of hedron is available: ${version} → ${latest}`)
    output.progress('Run `hedron update` to install it.')
    if (failed) {
      output.progress(
        'hint: this request failed on the side of the server — the newer release may already fix it',
        'dim',
      )
    }
  }
  if (stderr.isTerminal && Math.abs(effects.now() - checkedAt) > interval) {
    // Noted first: a machine without a network would start a look with every command.
    await remember(effects, { checkedAt: effects.now(), latest })
    effects.startDetached(['update', '--check'])
  }
}
