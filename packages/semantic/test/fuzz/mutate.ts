import { type Corpus, words } from './corpus.ts'

/** Random numbers that a seed decides, so that what was found can be found again. */
export interface Dice {
  /** A whole number from 0 and below `sides`. */
  roll(sides: number): number
  pick<T>(items: readonly T[]): T
}

/** The generator Mulberry32. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const roll = (sides: number) => Math.floor(next() * sides)
  return {
    roll,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error('there is nothing to pick from')
      return items[roll(items.length)] as T
    },
  }
}

type Mutation = (text: string, dice: Dice, corpus: readonly string[]) => string

const strange = ['\u0000', '\u2028', '\ufeff', '\r\n', '\t', '𝒳', 'ß', '\u202e', '\ud800', '\u0085', ' ', '\\', "''"]

const withLines =
  (change: (lines: string[], dice: Dice, corpus: readonly string[]) => void): Mutation =>
  (text, dice, corpus) => {
    const lines = text.split('\n')
    change(lines, dice, corpus)
    return lines.join('\n')
  }

const splice = (text: string, dice: Dice, length: number, replacement: string) => {
  const start = dice.roll(text.length + 1)
  return text.slice(0, start) + replacement + text.slice(start + length)
}

const replaceWord = (text: string, dice: Dice, word: string) => {
  const found = [...text.matchAll(/[\w{}.]+/g)]
  if (found.length === 0) return word
  const { 0: old, index } = dice.pick(found)
  return text.slice(0, index) + word + text.slice(index + old.length)
}

const mutations: readonly Mutation[] = [
  (text, dice) => splice(text, dice, 1 + dice.roll(20), ''),
  (text, dice) => splice(text, dice, 0, dice.pick(words)),
  (text, dice) => splice(text, dice, 0, dice.pick(strange)),
  (text, dice) => replaceWord(text, dice, dice.pick(words)),
  (text, dice) => replaceWord(text, dice, dice.pick(words)),
  (text, dice, corpus) => replaceWord(text, dice, dice.pick(dice.pick(corpus).match(/\w+/g) ?? ['x'])),
  (text, dice) => text.slice(0, dice.roll(text.length + 1)),
  (text, dice, corpus) => `${text}\n${dice.pick(corpus)}`,
  withLines((lines, dice) => lines.splice(dice.roll(lines.length), 1)),
  withLines((lines, dice) => lines.splice(dice.roll(lines.length), 0, dice.pick(lines))),
  withLines((lines, dice, corpus) =>
    lines.splice(dice.roll(lines.length), 1, dice.pick(dice.pick(corpus).split('\n'))),
  ),
  withLines((lines, dice) => {
    const position = dice.roll(lines.length)
    lines[position] = `${' '.repeat(dice.roll(8))}${(lines[position] ?? '').trimStart()}`
  }),
]

/** One file of the corpus with a few changes. */
export function mutatedModel(dice: Dice, { sound, all }: Corpus): string {
  let text = dice.pick(dice.roll(4) === 0 ? all : sound)
  for (let count = 1 + dice.roll(1 + dice.roll(4)); count > 0; count--) text = dice.pick(mutations)(text, dice, all)
  return text
}
