import type { Person } from './hedron.ts'
import type { Analytics } from './set-up.ts'

const escapeText = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeText(title)}</title>
<style>
:root{color-scheme:light dark}
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#1c1917;background:#fafaf9}
header{display:flex;gap:16px;align-items:center;padding:12px 24px;background:#4c1d95;color:#fff}
header b{flex:1} header button{font:inherit;color:inherit;background:none;border:1px solid #ffffff80;border-radius:6px;padding:4px 12px}
main{max-width:1200px;margin:24px auto;padding:0 24px} form.in{display:grid;gap:8px;max-width:320px}
input,button{font:inherit;padding:6px 10px}
@media (prefers-color-scheme:dark){body{color:#f5f5f4;background:#0d1113}}
</style></head><body>${body}</body></html>`

/** @param problem what was wrong with the last attempt. */
export function signInPage(problem: string): string {
  return page(
    'Shopkeeper: sign in',
    `<header><b>Shopkeeper</b></header><main><h1>Sign in</h1>
<p>Two customers: ann@acme.example (acme), bob@globex.example (globex).</p>
<form class="in" method="post" action="/sign-in">
<label>E-mail <input name="email" type="email" required autocomplete="username"></label>
<label>Password <input name="password" type="password" required autocomplete="current-password"></label>
<button>Sign in</button><p role="alert">${escapeText(problem)}</p></form></main>`,
  )
}

/** The product's page: its own frame, and Hedron's dashboard in it, as one element. */
export function shopPage(hedronUrl: string, { publicId }: Analytics, person: Person): string {
  return page(
    'Shopkeeper',
    `<header><b>Shopkeeper</b><span>${escapeText(person.name)}, ${escapeText(person.customer)}</span>
<form method="post" action="/sign-out"><button>Sign out</button></form></header>
<main><h1>How your shop does</h1>
<hedron-dashboard public-id="${escapeText(publicId)}" session-url="/analytics-session" allow-export="true"
  show-dashboard-title="false" title="Your shop"></hedron-dashboard></main>
<script src="${escapeText(hedronUrl)}/embed.js"></script>
<script>
  const dashboard = document.querySelector('hedron-dashboard')
  dashboard.setTheme({ primaryColor: '#6d28d9' })
  for (const name of ['ready', 'view', 'dashboard-loaded', 'download', 'drilldown', 'error', 'session-expiring'])
    dashboard.addEventListener('hedron-' + name, event => console.log(name, JSON.stringify(event.detail)))
</script>`,
  )
}
