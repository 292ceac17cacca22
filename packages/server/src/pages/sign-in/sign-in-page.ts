import { type Html, html } from '../html.ts'
import { field, hidden, notice } from './frame.ts'

export interface SignInForm {
  readonly formToken: string
  readonly account: string
  readonly returnTo: string
  readonly email: string
  readonly problem: string | null
}

export const signInPage = ({ formToken, account, returnTo, email, problem }: SignInForm): Html => html`<h1>Sign in</h1>
${problem === null ? html`` : notice('problem', problem)}
<form method="post" action="/auth/sign-in">
${hidden('form_token', formToken)}${hidden('account', account)}${hidden('return', returnTo)}
${field('E-mail', 'email', html`<input id="email" name="email" type="email" value="${email}" autocomplete="username" required ${email === '' ? html`autofocus` : html``}>`)}
${field('Password', 'password', html`<input id="password" name="password" type="password" autocomplete="current-password" required ${email === '' ? html`` : html`autofocus`}>`)}
<button class="primary">Sign in</button>
</form>
<p class="hint">Forgotten? An administrator makes you a link with <code>hedron users sign-in-link</code>.</p>`
