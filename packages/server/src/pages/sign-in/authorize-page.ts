import { type Html, html } from '../html.ts'
import { hidden } from './frame.ts'

export interface AuthorizeForm {
  readonly formToken: string
  readonly program: string
  /** Whether the program gave itself that name. */
  readonly isSelfNamed: boolean
  /** Where it is answered, as people read it. */
  readonly answeredAt: string
  /** What it asked with, sent back with the decision. */
  readonly fields: ReadonlyMap<string, string>
  readonly email: string
  readonly accountName: string
}

export const authorizePage = (form: AuthorizeForm): Html => html`<h1>Let ${form.program} ask for you?</h1>
<p>An assistant wants to ask this server's data as <strong>${form.email}</strong> in the account <strong>${form.accountName}</strong>. Allow it only
if you connected it yourself just now.</p>
<dl class="facts">
<div><dt>It calls itself</dt><dd>${form.program}${form.isSelfNamed ? html`<br><strong class="warning">Nobody has checked that name.</strong>` : html``}</dd></div>
<div><dt>It is answered at</dt><dd><code>${form.answeredAt}</code></dd></div>
<div><dt>It may</dt><dd>read the data models, query and chat with what you may see, and change nothing, until you end it on <a href="/auth/account">your account's page</a></dd></div>
</dl>
<form method="post" action="/auth/oauth2/authorize" class="choice">
${hidden('form_token', form.formToken)}${[...form.fields].map(([name, value]) => hidden(name, value))}
<button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`
