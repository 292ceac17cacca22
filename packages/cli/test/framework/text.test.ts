import { describe, expect, test } from 'vitest'
import { oneCell, oneLine, printable, shellQuote, withoutSteering } from '../../src/framework/text.ts'

describe('oneLine', () => {
  test.each([
    ['abcde', 5, 'abcde'],
    ['abcdef', 5, 'abcde…'],
    ['ab cd', 2, 'ab…'],
    ['  a \n\t b  ', 5, 'a b'],
    ['ab cd', 4, 'ab c…'],
    ['ab cd', 3, 'ab…'],
    ['', 3, ''],
    ['éèêëā', 5, 'éèêëā'],
    ['😀😀😀', 2, '😀😀…'],
    ['😀😀', 2, '😀😀'],
  ])('%j cut at %d is %j', (text, limit, expected) => expect(oneLine(text, limit)).toBe(expected))

  test('agrees with the plain way of doing it on random text', () => {
    const alphabet = ['a', 'b', ' ', '\n', '😀', 'é']
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    for (let round = 0; round < 2000; round += 1) {
      const text = Array.from({ length: next(14) }, () => alphabet[next(alphabet.length)]).join('')
      const limit = 1 + next(8)
      const whole = text.trim().split(/\s+/).join(' ')
      const characters = Array.from(whole)
      const plain = characters.length <= limit ? whole : `${characters.slice(0, limit).join('').trimEnd()}…`
      expect(oneLine(text, limit), JSON.stringify({ text, limit })).toBe(plain)
    }
  })
})

test('control characters cannot reach the terminal', () => {
  expect(printable('\u001b[31mred\u001b[0m\u0007\nnext\tcell\u009b2J')).toBe('[31mred[0m\nnext\tcell2J')
  expect(oneCell(`\u001b]0;title\u0007${'x'.repeat(200)}`)).toBe(`]0;title${'x'.repeat(112)}…`)
})

test('a value in a suggested command survives the shell', () => {
  expect(shellQuote("it's", 'linux')).toBe("'it'\\''s'")
  expect(shellQuote("it's", 'win32')).toBe("'it''s'")
  expect(shellQuote('', 'linux')).toBe("''")
})

test('turns of direction are dropped, sequences of the program itself are kept', () => {
  expect(printable('a\u202eb\u2066c')).toBe('abc')
  expect(withoutSteering('\u001b[1mbold\u001b[0m \u001b[2J', ['\u001b[1m', '\u001b[0m'])).toBe(
    '\u001b[1mbold\u001b[0m [2J',
  )
})
