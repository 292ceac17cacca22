import { type Html, html } from '../html.ts'
import { field, hidden, moment, notice } from './frame.ts'

export interface LoggedIn {
  readonly id: string
  readonly client: string
  readonly agent: string | null
  readonly address: string | null
  readonly createdAt: Date
  readonly usedAt: Date
}

export interface AccountPage {
  readonly formToken: string
  readonly email: string
  readonly accountName: string
  readonly isAdmin: boolean
  readonly logins: readonly LoggedIn[]
  readonly problem: string | null
  readonly done: string | null
}

export const accountPage = (page: AccountPage): Html => html`<h1>Your account</h1>
${page.problem === null ? html`` : notice('problem', page.problem)}${page.done === null ? html`` : notice('done', page.done)}
<p>Signed in as <strong>${page.email}</strong> in the account <strong>${page.accountName}</strong>${page.isAdmin ? ', as an administrator' : ''}.</p>
<section aria-labelledby="logins">
<h2 id="logins">Programs that act as you</h2>
${page.logins.length === 0 ? html`<p class="hint">None. <code>hedron login</code> logs one in.</p>` : html`<ul class="logins">${page.logins.map(login => loginRow(login, page.formToken))}</ul>`}
</section>
<section aria-labelledby="password">
<h2 id="password">Password</h2>
<form method="post" action="/auth/account/password">
${hidden('form_token', page.formToken)}
<input class="unseen" type="email" autocomplete="username" value="${page.email}" tabindex="-1" aria-hidden="true" readonly>
${field('Current password', 'current', html`<input id="current" name="current" type="password" autocomplete="current-password" required>`)}
${newPasswordFields}
<button class="primary">Change password</button>
<p class="hint">Ends every other session of yours, and every program's login.</p>
</form>
</section>`

export const newPasswordFields = html`${field('New password', 'next', html`<input id="next" name="next" type="password" autocomplete="new-password" minlength="8" maxlength="1024" required aria-describedby="next-hint">`, '8 characters or more')}
${field('New password again', 'again', html`<input id="again" name="again" type="password" autocomplete="new-password" minlength="8" maxlength="1024" required>`)}`

const loginRow = (login: LoggedIn, formToken: string): Html => html`<li>
<div><strong>${login.client}</strong>${login.agent === null ? html`` : html` <code>${login.agent}</code>`}
<p class="hint">since ${moment(login.createdAt)} from ${login.address ?? 'an unknown address'}, last used ${moment(login.usedAt)}</p></div>
<form method="post" action="/auth/account/end-login">
${hidden('form_token', formToken)}${hidden('login', login.id)}
<button aria-label="End the login of ${login.client}, since ${login.createdAt.toISOString().slice(0, 16)}">End</button>
</form>
</li>`
