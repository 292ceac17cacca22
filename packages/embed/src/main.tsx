import { createRoot } from 'react-dom/client'
import { EmbedRoot } from './embed-root.tsx'
import { readAddress, withoutSession } from './frame/address.ts'
import { createFrame } from './frame/frame.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
// The scripts have come (boot.ts).
root.setAttribute('data-started', '')

const address = readAddress(location)
if (address.sessionId !== null) history.replaceState(history.state, '', withoutSession(location.href))
const frame = createFrame(address, window)

// The server's shell stays until there is something to show in its place.
await frame.opened
createRoot(root).render(<EmbedRoot frame={frame} />)
