import type { HostChannel } from '../frame/host-channel.ts'
import { createStore, type Store } from '../frame/store.ts'

/** Where in the app somebody is: the part of the path behind `/embed/d/{id}/app`. */
export interface Router {
  readonly place: Store<string>
  go(place: string): void
  /** Goes there in place of where somebody is: Back does not lead here again. */
  replace(place: string): void
  close(): void
}

/** Follows the address: back and forward work, the host is told, and may say where to go. What the first address set stays in it. */
export function createRouter(deploymentId: number, host: HostChannel): Router {
  const base = `/embed/d/${deploymentId}/app`
  const placeOf = (path: string) => (path.startsWith(base) ? path.slice(base.length).replace(/\/+$/, '') : null)
  const place = createStore(placeOf(location.pathname) ?? '')
  const show = (next: string) => {
    const previousPath = base + place.get()
    place.set(() => next)
    host.emit('navigate', { path: base + next, previousPath })
  }
  const onPop = () => {
    const next = placeOf(location.pathname)
    // Back to the dashboard that led here is for the page around.
    if (next !== null) show(next)
  }
  addEventListener('popstate', onPop)
  const go = (next: string) => {
    if (next === place.get()) return
    history.pushState(null, '', base + next + location.search)
    show(next)
  }
  const stop = host.on('navigate', ({ path }) => {
    // A path of the app, whole or behind its base; nothing that leads out of it.
    if (typeof path !== 'string' || !/^\/[\w/-]*$/.test(path)) return
    go((placeOf(path) ?? path).replace(/\/+$/, ''))
  })
  return {
    place,
    go,
    replace(next) {
      history.replaceState(null, '', base + next + location.search)
      show(next)
    },
    close() {
      removeEventListener('popstate', onPop)
      stop()
    },
  }
}
