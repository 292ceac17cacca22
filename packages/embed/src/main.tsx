import { english, loadMessages } from '@hedron/ui'
import { createRoot } from 'react-dom/client'
import { EmbedRoot } from './embed-root.tsx'
import { readAddress, withoutSession } from './frame/address.ts'
import { createFrame } from './frame/frame.ts'
import { localeOf } from './frame/frame-settings.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
// The scripts have come (boot.ts).
root.setAttribute('data-started', '')

const address = readAddress(location)
if (address.sessionId !== null) history.replaceState(history.state, '', withoutSession(location.href))
const frame = createFrame(address, window)

// The server's shell stays until there is something to show in its place.
const locale = localeOf(frame.wishes.get(), address, null)
const [messages] = await Promise.all([loadMessages(locale).catch(() => english), frame.opened])
const observer = new ResizeObserver(() =>
  frame.host.emit('resize', { height: Math.ceil(root.getBoundingClientRect().height) }),
)
observer.observe(root)
createRoot(root).render(<EmbedRoot frame={frame} messages={messages} />)
