import { type Html, html } from '../html.ts'
import { field, hidden, moment, notice } from './frame.ts'

export interface CodeForm {
  readonly formToken: string
  readonly typed: string
  readonly problem: string | null
}

export const codePage = ({ formToken, typed, problem }: CodeForm): Html => html`<h1>Log in a program</h1>
${problem === null ? html`` : notice('problem', problem)}
<p>Type the code that the program shows.</p>
<form method="post" action="/auth/device">
${hidden('form_token', formToken)}
${field('Code', 'user_code', html`<input id="user_code" name="user_code" class="code" value="${typed}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" required autofocus aria-describedby="user_code-hint">`, 'Eight letters, for example BCDF-GHJK')}
<button class="primary">Continue</button>
</form>`

export interface Approval {
  readonly formToken: string
  readonly userCode: string
  readonly client: string
  readonly agent: string | null
  readonly address: string | null
  /** Whether that is also the address of who looks at the page. */
  readonly isSameAddress: boolean
  readonly askedAt: Date
  readonly email: string
  readonly accountName: string
}

export const approvalPage = (device: Approval): Html => html`<h1>Allow ${device.client}?</h1>
<p>A program asks to act as <strong>${device.email}</strong> in the account <strong>${device.accountName}</strong>. Allow it only if you
started it yourself and it shows this code:</p>
<p class="code" id="device-code">${device.userCode}</p>
<dl class="facts">
<div><dt>Program</dt><dd>${device.client}${device.agent === null ? html`` : html` <code>${device.agent}</code>`}</dd></div>
<div><dt>Asked from</dt><dd>${device.address ?? 'an unknown address'}${device.isSameAddress ? ', where you are too' : html`<br><strong class="warning">Not where you are. Did you start it on another machine?</strong>`}</dd></div>
<div><dt>Asked at</dt><dd>${moment(device.askedAt)}</dd></div>
<div><dt>It may</dt><dd>do all that you may, until you end it on <a href="/auth/account">your account's page</a></dd></div>
</dl>
<form method="post" action="/auth/device/decide" class="choice">
${hidden('form_token', device.formToken)}${hidden('user_code', device.userCode)}
<button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`

export const decidedPage = (client: string, isAllowed: boolean): Html =>
  isAllowed
    ? html`<h1>Allowed</h1>
${notice('done', `${client} is logged in as you.`)}
<p>Go back to it; this page can be closed. What is logged in as you stands on <a href="/auth/account">your account's page</a>.</p>`
    : html`<h1>Denied</h1>
${notice('done', `${client} was not logged in.`)}
<p>If you did not start it, somebody may have sent you the link: tell your administrator.</p>`
