import { type Html, html } from '../html.ts'
import { newPasswordFields } from './account-page.ts'
import { hidden, notice } from './frame.ts'

export interface LinkPage {
  readonly formToken: string
  /** Where the form goes: the address of the link itself. */
  readonly action: string
  readonly email: string
  readonly problem: string | null
}

export const linkPage = ({ formToken, action, email, problem }: LinkPage): Html => html`<h1>Choose a password</h1>
${problem === null ? html`` : notice('problem', problem)}
<p>For <strong>${email}</strong>. The link works once.</p>
<form method="post" action="${action}">
${hidden('form_token', formToken)}
<input class="unseen" type="email" autocomplete="username" value="${email}" tabindex="-1" aria-hidden="true" readonly>
${newPasswordFields}
<button class="primary">Save and sign in</button>
</form>`

/** A page that says why something can't be done, and what to do. */
export const refusalPage = (title: string, text: string): Html => html`<h1>${title}</h1>
${notice('problem', text)}
<p><a href="/auth/account">Your account</a></p>`
