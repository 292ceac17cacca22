import './button.css'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'>

export function Button(
  props: Native & {
    readonly look?: 'plain' | 'primary' | 'quiet' | 'danger'
    readonly icon?: IconName
    readonly children: ReactNode
  },
) {
  const { look = 'plain', icon, children, ...rest } = props
  return (
    <button type="button" {...rest} className="hd-button" data-look={look}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

/** A button that shows only its icon; `label` is its name, also on hover. */
export function IconButton(
  props: Native & { readonly icon: IconName; readonly label: string; readonly look?: 'quiet' | 'primary' },
) {
  const { icon, label, look = 'quiet', ...rest } = props
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className="hd-button hd-icon-button"
      data-look={look}
    >
      <Icon name={icon} />
    </button>
  )
}
