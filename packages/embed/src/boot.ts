/**
 * Runs before everything else and notices when the rest does not come: a file that was refused, cut off or is of another release. The
 * server's shell stands in the page meanwhile and holds the words; this only says which of them to show. Once a page has drawn, the shell is gone
 * and nothing here has an effect.
 */
const fail = () => document.querySelector('.shell')?.setAttribute('data-failed', '')

addEventListener('error', fail, true)
addEventListener('unhandledrejection', fail)
// Scripts of a page have come, or are known not to, when it is loaded; `main.tsx` marks the root when it runs.
addEventListener('load', () => {
  setTimeout(() => {
    if (document.getElementById('root')?.hasAttribute('data-started') !== true) fail()
  }, 1000)
})
