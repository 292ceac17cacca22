import { type Html, html } from './html.ts'

/** What takes a newcomer from a key to an answer. */
export function firstSteps(baseUrl: string): Html {
  const base = html`<span data-base>${baseUrl}</span>`
  return html`<section class="steps" id="first-steps" aria-labelledby="first-steps-title">
<h2 id="first-steps-title">First steps</h2>
<p class="prose">The first start prints a bootstrap key and, for the demo, a data token. Put them into the shell as
<code>HEDRON_API_KEY</code> and <code>HEDRON_DATA_TOKEN</code>; the commands read them from there.</p>
<ol>
<li><div><h3>Ask who you are</h3>
<p>The platform API takes an API key and says whose it is.</p></div>
${command(
  'the request',
  html`curl -s ${base}/api/v1/users/me \\
  -H "Authorization: Api-Key $HEDRON_API_KEY"`,
)}</li>
<li><div><h3>Log the command line in</h3>
<p>In the folder of the clone, which brings the command. Later calls need neither address nor key.</p></div>
${command(
  'the command',
  html`npx hedron login --api-key "$HEDRON_API_KEY" \\
  --url ${base}`,
)}</li>
<li><div><h3>Ask three million flights</h3>
<p>The data API takes a deployment’s token, which <a href="#deploymentToken">deploymentToken</a> makes too. The demo is
deployment 1 of a new server.</p></div>
${command(
  'the query',
  html`curl -s ${base}/data/1/cubejs-api/v1/load \\
  -H "Authorization: $HEDRON_DATA_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "query": {
    "measures": ["flight_facts.count", "flight_facts.share_delayed"],
    "dimensions": ["flight_facts.origin_city"],
    "limit": 5
  } }'`,
)}</li>
<li><div><h3>Look, and ask in words</h3>
<p>Signed in as the administrator: <a href="/embed/chat">the chat</a>, and the demo’s dashboard, whose address each start prints.</p></div>
${command('the address', html`${base}/embed/chat`)}</li>
</ol>
</section>`
}

function command(what: string, code: Html): Html {
  return html`<div class="command" data-copyable><pre><code data-copy-source>${code}</code></pre><button type="button" class="copy scripted" data-copy aria-label="Copy ${what}">Copy</button></div>`
}

/** The data API in prose: its routes are not of the platform API's document. */
export function dataApi(): Html {
  return html`<section id="data-api" aria-labelledby="data-api-title">
<h2 id="data-api-title">Data API</h2>
<p class="prose">Each deployment answers queries below an address of its own, and each of its branches below one further,
from the data model of that branch. Production stays as it is meanwhile. The npm client <code>@cubejs-client/core</code>
speaks this API as it comes.</p>
<dl class="lines">
${[...addresses, ...requests].map(([term, says]) => html`<div><dt>${term}</dt><dd>${says}</dd></div>\n`)}</dl>
</section>`
}

const addresses: readonly (readonly [Html, Html])[] = [
  [html`Production`, html`<code>/data/{deploymentId}</code>`],
  [html`A branch`, html`<code>/data/{deploymentId}/dev-mode/&lt;branch&gt;</code>`],
  [
    html`Credential`,
    html`<code>Authorization: &lt;token&gt;</code>, with or without <code>Bearer</code>. The token is a JWT signed with the
deployment’s API secret (HS256); its claims are the security context of the query.`,
  ],
]

/** Below the address of production or of a branch. */
const requests: readonly (readonly [Html, Html])[] = [
  [
    html`<code>/cubejs-api/v1/load</code>`,
    html`Rows for a query. A slow one is answered with <code>{"error":"Continue wait"}</code>: ask the same again.`,
  ],
  [html`<code>/cubejs-api/v1/sql</code>`, html`The SQL that a query becomes, without running it.`],
  [html`<code>/cubejs-api/v1/dry-run</code>`, html`Whether a query is valid, and what it means in full.`],
  [html`<code>/cubejs-api/v1/explain</code>`, html`How a query is answered, in words.`],
  [html`<code>/cubejs-api/v1/meta</code>`, html`The cubes and views, with the members that can be asked for.`],
  [html`<code>/readyz</code>`, html`Whether the deployment answers queries. Needs no token.`],
]
