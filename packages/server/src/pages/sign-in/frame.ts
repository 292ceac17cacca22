import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { mark } from '../mark.ts'

/** Later ones win over earlier ones of the same weight. */
const sheets = ['base.css', 'sign-in.css']

export interface Frame {
  readonly title: string
  readonly assets: Assets
  /** Who is signed in, with the form that signs him out; null: nobody. */
  readonly person: { readonly email: string; readonly formToken: string } | null
}

/** A page that needs no script: one card with one thing to do. */
export const framed = ({ title, assets, person }: Frame, content: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · hedron</title>
<link rel="icon" type="image/svg+xml" href="${assets.url('mark.svg')}">
${sheets.map(name => html`<link rel="stylesheet" href="${assets.url(name)}">\n`)}</head>
<body>
<header class="who">
<a class="brand" href="/">${mark}<span>hedron</span></a>
${person === null ? html`` : signedIn(person)}
</header>
<main class="card">
${content}
</main>
</body>
</html>
`

const signedIn = ({
  email,
  formToken,
}: NonNullable<Frame['person']>): Html => html`<form method="post" action="/auth/sign-out">
<input type="hidden" name="form_token" value="${formToken}">
<a href="/auth/account">${email}</a>
<button>Sign out</button>
</form>`

/** A sentence about what just happened, read aloud by screen readers at once. */
export const notice = (kind: 'problem' | 'done', text: string): Html =>
  html`<p class="notice" data-kind="${kind}" role="${kind === 'problem' ? 'alert' : 'status'}">${text}</p>`

export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

/** A labelled field of a form. */
export const field = (label: string, name: string, input: Html, hint?: string): Html => html`<div class="field">
<label for="${name}">${label}</label>
${input}${
  hint === undefined
    ? html``
    : html`
<p class="hint" id="${name}-hint">${hint}</p>`
}
</div>`

/** A point in time as it is everywhere, since the page has no script that knows the reader's zone. */
export const moment = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`

/** `2 minutes`, `40 seconds` */
export function inWords(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
