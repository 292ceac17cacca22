/** What the page says about the server. `silent` is only ever seen by a page that is already open. */
export type HealthKey = 'ready' | 'starting' | 'silent'

export const healthWords: Readonly<Record<HealthKey, { readonly label: string; readonly explanation: string }>> = {
  ready: { label: 'ready', explanation: 'Takes requests.' },
  starting: { label: 'starting', explanation: 'Runs but cannot answer yet. If this lasts, its log says why.' },
  silent: {
    label: 'not answering',
    explanation: 'Nothing answers at this address. See whether the server still runs.',
  },
}
