import { html } from '../html.ts'
import type { BuiltPages } from './built-pages.ts'
import { shellTexts } from './embed-texts.ts'

export type Surface = 'dashboard' | 'chat' | 'app'

/** Shown until the scripts draw: nothing for a moment, then that it loads, then what to do. Needs no script and no file. */
const styles = `
:root{color-scheme:light dark}
body{margin:0;font:14px/1.5 Inter,ui-sans-serif,system-ui,sans-serif;color:#3f3f46;background:transparent}
.shell{box-sizing:border-box;min-height:100vh;display:grid;place-content:center;justify-items:center;gap:12px;padding:24px;text-align:center}
.shell p{margin:0;max-width:48ch}
.shell-mark{width:28px;height:28px;opacity:.6}
.shell-wait{opacity:0;animation:shell-show 0s .4s forwards}
.shell-slow{opacity:0;animation:shell-show 0s 8s forwards}
.shell-failed{display:none}
.shell[data-failed] .shell-wait,.shell[data-failed] .shell-slow{display:none}
.shell[data-failed] .shell-failed{display:block}
.shell a{color:#0f766e;font-weight:600}
@keyframes shell-show{to{opacity:1}}
@media (prefers-color-scheme:dark){body{color:#d4d4d8}.shell a{color:#2dd4bf}}
`

const mark = html`<svg class="shell-mark" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" aria-hidden="true"><path d="M12 2 21 7v10l-9 5-9-5V7z"/><path d="m3 7 9 5 9-5"/><path d="M12 12v10"/></svg>`

/**
 * The page that a frame loads: it says that it loads, and never stays blank, whatever of what it names does not come.
 *
 * @param address path and query to load it again by, without a session id that is good once.
 */
export function embedShell(
  surface: Surface,
  built: BuiltPages | null,
  wishes: readonly (string | null | undefined)[],
  address: string,
): string {
  const { locale, texts } = shellTexts(wishes)
  const url = (name: string) => `/embed/${name}`
  const files = built === null ? [] : built.preload[surface]
  const head =
    built === null
      ? []
      : [
          ...built.styles.map(name => html`<link rel="stylesheet" href="${url(name)}">`),
          html`<script type="module" src="${url(built.boot)}"></script>`,
          html`<script type="module" src="${url(built.main)}"></script>`,
          ...files.map(name =>
            name.endsWith('.css')
              ? html`<link rel="stylesheet" href="${url(name)}">`
              : html`<link rel="modulepreload" href="${url(name)}">`,
          ),
        ]
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Hedron</title>
<link rel="icon" href="data:,">
<style>${{ markup: styles }}</style>
${head}
</head>
<body>
<div id="root" data-surface="${surface}">
<main class="shell"${built === null ? html` data-failed=""` : html``}>
${mark}
<p class="shell-wait" role="status">${texts.loading}</p>
<p class="shell-slow">${texts.slow} <a href="${address}">${texts.reload}</a></p>
<p class="shell-failed" role="alert">${texts.failed} <a href="${address}">${texts.reload}</a></p>
<noscript><p>${texts.noScript}</p></noscript>
</main>
</div>
</body>
</html>
`.markup
}
