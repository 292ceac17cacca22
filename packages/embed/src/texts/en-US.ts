/** What the embedded pages say, beside the texts of `@hedron/ui`. Every other language has the same keys, or does not compile. */
export const english = {
  usedTitle: 'This view was opened before',
  usedBody: 'For your security a view can be opened once. Open it again from the page that you came from.',
  endedTitle: 'Your session has ended',
  endedBody: 'Open the page again to continue. What you had filtered stays in its address.',
  signInTitle: 'Please sign in',
  signInBody: 'This view is for people with an account here.',
  signIn: 'Sign in',
  offTitle: 'This view is switched off',
  offBody: 'Whoever runs this site can switch it on again.',
  failedTitle: 'This view could not be opened',
  failedBody: 'The server could not be reached. It is tried again when you choose so.',
  tryAgain: 'Try again',
  renewing: 'Opening a new session',
  goneTitle: 'There is no such dashboard',
  goneBody: 'It was removed, or it is not shared with you.',
  notEmbeddedTitle: 'This dashboard is not for embedding',
  notEmbeddedBody: 'Somebody who may change it can allow signed embedding for it.',
  noCreatorTitle: 'This session is for looking only',
  noCreatorBody: 'Making workbooks needs a session in creator mode.',
  code: 'Code: {code}',
  crashedTitle: 'Something on this page broke',
  crashedBody: 'Nothing was lost on the server. Load it again; if it stays, send the code below.',
}

export type TextKey = keyof typeof english
export type Texts = Readonly<Record<TextKey, string>>
