/**
 * A value that is given at once where nothing has to be waited for. Every promise on the way of an answer from the cache costs it a
 * turn of the event loop, and there would be a dozen of them.
 */
export type Soon<T> = T | Promise<T>

export const isThere = <T>(value: Soon<T>): value is T => !(value instanceof Promise)

/** Goes on with a value as soon as it is there: at once, or when its promise is kept. */
export const whenThere = <T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> =>
  isThere(value) ? next(value) : value.then(next)
