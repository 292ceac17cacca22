import { IconButton, useLocale } from '@hedron/ui'
import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

/** Copies a text, and says that it did. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { t } = useLocale()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <>
      <IconButton
        icon={isCopied ? 'check' : 'copy'}
        label={label ?? t('copy')}
        onClick={() => void copyText(text).then(setCopied)}
      />
      <span className="hd-hidden" role="status">
        {isCopied ? t('copied') : ''}
      </span>
    </>
  )
}
