import { IconButton, useLocale } from '@hedron/ui'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Chat } from './use-chat.ts'

/** Of a message, in characters; the server takes a megabyte of bytes. */
const longest = 200_000

/** Where questions are typed: Enter sends, Shift+Enter begins a line. What is typed stays until it is sent. */
export function ChatInput({ chat }: { readonly chat: Pick<Chat, 'ask' | 'stop' | 'isRunning'> }) {
  const { t } = useLocale()
  const [text, setText] = useState('')
  const area = useRef<HTMLTextAreaElement>(null)
  const isTooLong = text.length > longest

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const box = area.current
    if (!box) return
    box.style.height = 'auto'
    box.style.height = `${Math.min(box.scrollHeight, 200)}px`
  }, [text])

  function send() {
    const input = text.trim()
    if (input === '' || isTooLong) return
    chat.ask(input)
    setText('')
    area.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    // While letters are composed, as in Japanese, Enter chooses among them.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <form
      className="chat-input"
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={area}
        rows={1}
        value={text}
        aria-label={t('chatPlaceholder')}
        placeholder={t('chatPlaceholder')}
        aria-invalid={isTooLong}
        onChange={event => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {chat.isRunning && text.trim() === '' ? (
        <IconButton icon="stop" label={t('stop')} look="primary" onClick={chat.stop} />
      ) : (
        <IconButton
          icon="send"
          label={t('send')}
          look="primary"
          type="submit"
          disabled={text.trim() === '' || isTooLong}
        />
      )}
      {isTooLong && <p role="alert">{t('tooLong')}</p>}
    </form>
  )
}
