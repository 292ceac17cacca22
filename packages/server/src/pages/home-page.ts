import type { Assets } from './assets.ts'
import { type HealthKey, healthWords } from './health.ts'
import { dataApi, firstSteps } from './home-sections.ts'
import { type Html, html } from './html.ts'
import { mark } from './mark.ts'

export interface HomePage {
  readonly version: string
  readonly health: HealthKey
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly assets: Assets
}

/** Later ones win over earlier ones of the same weight. */
const sheets = ['base.css', 'page.css', 'reference.css', 'operation.css', 'modes.css']

/** The page at `/`: complete without scripts but for the reference, which is then a link to the document. */
export function homePage({ version, health, baseUrl, assets }: HomePage): Html {
  const modules = [...assets.files.keys()].filter(name => name.endsWith('.js') && name !== 'home.js')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>hedron ${version}</title>
<link rel="icon" type="image/svg+xml" href="${assets.url('mark.svg')}">
${sheets.map(name => html`<link rel="stylesheet" href="${assets.url(name)}">\n`)}${modules.map(name => html`<link rel="modulepreload" href="${assets.url(name)}">\n`)}<script type="module" src="${assets.url('home.js')}"></script>
</head>
<body>
<a class="skip" href="#api-reference">Skip to the API reference</a>
<header class="top">
<a class="brand" href="/">${mark}<span>hedron</span></a>
<nav aria-label="Page">
<a href="#first-steps">First steps</a>
<a href="#data-api">Data API</a>
<a href="#api-reference">Reference</a>
<a href="/api/v1/spec">openapi.json</a>
</nav>
<button type="button" class="scripted" id="page-show-keys">Keys <kbd>?</kbd></button>
</header>
<main>
<h1 class="unseen">hedron on ${baseUrl}</h1>
${panel(version, health, baseUrl)}
${firstSteps(baseUrl)}
${dataApi()}
${reference}
</main>
${keys}
<p class="unseen" id="page-announcer" role="status"></p>
</body>
</html>
`
}

function panel(version: string, health: HealthKey, baseUrl: string): Html {
  const { label, explanation } = healthWords[health]
  return html`<dl class="panel">
<div class="state"><dt>State</dt>
<dd><div id="page-health" role="status" data-health="${health}" data-words="${JSON.stringify(healthWords)}"><span class="value" data-part="label">${label}</span>
<span class="note" data-part="explanation">${explanation}</span></div></dd>
<dd class="note figures" id="page-asked">when this page was made</dd></div>
<div class="address" data-copyable><dt>Address</dt>
<dd class="value"><code data-base data-copy-source>${baseUrl}</code></dd>
<dd><button type="button" class="copy scripted" data-copy aria-label="Copy the address">Copy</button></dd></div>
<div><dt>Version</dt>
<dd class="value figures">${version}</dd></div>
<div><dt>Platform API</dt>
<dd class="value figures">v1</dd>
<dd class="note figures" id="page-api">OpenAPI 3.1</dd></div>
</dl>`
}

const reference = html`<section class="reference" id="api-reference" aria-labelledby="api-reference-title">
<h2 id="api-reference-title">API reference</h2>
<noscript><p class="prose">The reference is drawn by your browser, which has scripts turned off. All of it stands in the
<a href="/api/v1/spec">OpenAPI document</a>, which any OpenAPI tool reads.</p></noscript>
<div class="columns scripted">
<nav class="contents" aria-label="Groups of operations"><ul id="page-contents"></ul></nav>
<div>
<div class="filter" role="search">
<label for="page-filter" class="unseen">Filter operations</label>
<input id="page-filter" type="search" placeholder="Filter by method, path, summary or id" autocomplete="off" autocapitalize="off" spellcheck="false" aria-keyshortcuts="/ Control+K" disabled>
<kbd aria-hidden="true">/</kbd>
<output id="page-count" for="page-filter" class="figures"></output>
</div>
<div id="page-reference" data-document="/api/v1/spec"></div>
</div>
</div>
</section>`

const keys = html`<dialog id="page-keys" aria-labelledby="page-keys-title">
<h2 id="page-keys-title">Keys</h2>
<dl>
<div><dt><kbd>/</kbd> <kbd>Ctrl K</kbd> <kbd>⌘ K</kbd></dt><dd>Filter the operations</dd></div>
<div><dt><kbd>Esc</kbd></dt><dd>Clear the filter</dd></div>
<div><dt><kbd>↓</kbd> <kbd>↑</kbd></dt><dd>Next and previous operation</dd></div>
<div><dt><kbd>Enter</kbd></dt><dd>Open or close it</dd></div>
<div><dt><kbd>?</kbd></dt><dd>This list</dd></div>
</dl>
<p><label><input type="checkbox" id="page-single-keys" checked> Keys without Ctrl or ⌘ work too (<kbd>/</kbd> and <kbd>?</kbd>)</label></p>
<form method="dialog"><button>Close</button></form>
</dialog>`
