import './avatar.css'
import { useState } from 'react'

/** A picture of somebody, or his initials where there is none or it does not load. The picture's host learns nothing of the page. */
export function Avatar(props: {
  readonly name: string
  readonly picture?: string | null | undefined
  readonly size?: number
}) {
  const { name, picture, size = 24 } = props
  const [failed, setFailed] = useState<string | null>(null)
  const shows = picture && picture !== failed && /^https?:\/\//i.test(picture)
  return (
    <span className="hd-avatar" style={{ width: size, height: size, fontSize: size * 0.42 }} title={name}>
      {shows ? (
        <img
          src={picture}
          alt={name}
          width={size}
          height={size}
          referrerPolicy="no-referrer"
          loading="lazy"
          onError={() => setFailed(picture)}
        />
      ) : (
        <span role="img" aria-label={name}>
          {initials(name)}
        </span>
      )}
    </span>
  )
}

/** First letters of the first and the last word; of an e-mail address what stands before the `@`. */
export function initials(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter(word => word !== '')
  const [first = '?'] = words
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return [first, last].map(word => [...word][0]?.toLocaleUpperCase() ?? '').join('')
}
