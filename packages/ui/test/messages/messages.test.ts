import { describe, expect, test } from 'vitest'
import { loadMessages } from '../../src/messages/load-messages.ts'
import { english } from '../../src/messages/locales/en-US.ts'
import { createTranslate, type Message } from '../../src/messages/messages.ts'
import { locales, pickLocale, pickTimeZone } from '../../src/messages/pick-locale.ts'

function holes(message: Message): readonly string[] {
  const texts = typeof message === 'string' ? [message] : Object.values(message)
  return [...new Set(texts.flatMap(text => [...text.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')))].sort()
}

describe.each(locales)('the interface in %s', locale => {
  test('has every text, with the holes of the English one', async () => {
    const messages = await loadMessages(locale)
    expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort())
    for (const [key, message] of Object.entries<Message>(messages)) {
      const original: Message | undefined = Object.entries<Message>(english).find(([name]) => name === key)?.[1]
      expect(holes(message), key).toEqual(original === undefined ? [] : holes(original))
      for (const text of typeof message === 'string' ? [message] : Object.values(message))
        expect(text.trim()).not.toBe('')
    }
  })

  test('is another language', async () => {
    const messages = await loadMessages(locale)
    const same = Object.entries<Message>(messages).filter(
      ([key, text]) =>
        typeof text === 'string' && text === Object.entries<Message>(english).find(([name]) => name === key)?.[1],
    )
    if (locale !== 'en-US') expect(same.length).toBeLessThan(14)
  })
})

test('plurals and numbers are those of the language', async () => {
  const t = createTranslate(await loadMessages('de-DE'), 'de-DE')
  expect(t('rows', { count: 1 })).toBe('1 Zeile')
  expect(t('rows', { count: 12_345 })).toBe('12.345 Zeilen')
  expect(t('badNumber', { value: '{count}' })).toBe('„{count}“ ist keine Zahl')
})

describe('the locale of the first wish that can be met', () => {
  test.each([
    [['de-DE'], 'de-DE'],
    [['DE_de'], 'de-DE'],
    [['de'], 'de-DE'],
    [['es'], 'es-ES'],
    [['es-AR'], 'es-ES'],
    [['es-MX'], 'es-MX'],
    [['pt'], 'pt-BR'],
    [['no'], 'nb-NO'],
    [['vi-Latn-VN'], 'vi-VN'],
    [['xx', 'fr-CA'], 'fr-FR'],
    [[null, undefined, '', '../de', 'sv'], 'sv-SE'],
    [['tlh'], 'en-US'],
    [[], 'en-US'],
  ])('%j is %s', (wishes, locale) => {
    expect(pickLocale(...wishes)).toBe(locale)
  })
})

test('a time zone is a name; an offset and an unknown one fall through', () => {
  expect(pickTimeZone('+02:00', 'Mars/Olympus', null, 'Europe/Oslo', 'UTC')).toBe('Europe/Oslo')
  expect(pickTimeZone('+02:00')).toBeUndefined()
})
