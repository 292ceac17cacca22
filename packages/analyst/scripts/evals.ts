/**
 * Asks the built-in analyst the questions of examples/questions and prints how many answers are right.
 *
 *     npm run evals                 all models
 *     npm run evals -- shop         one of them
 *     npm run evals -- --second     only the second set of questions
 *     npm run evals -- --failures   also what it did not answer rightly, of those questions that are not held out
 */
import { askSuite, type Graded } from '../test/support/ask-suite.ts'
import { readSuite, suiteNames } from '../test/support/questions.ts'

const words = process.argv.slice(2)
const isSecondOnly = words.includes('--second')
const showsFailures = words.includes('--failures')
const chosen = words.filter(word => !word.startsWith('--'))

const line = (name: string, graded: readonly Graded[]) => {
  const count = (grade: Graded['grade']) => graded.filter(each => each.grade === grade).length
  const share = graded.length === 0 ? 0 : (100 * count('right')) / graded.length
  const cells = [graded.length, count('right'), count('unclear'), count('wrong')]
  return `${name.padEnd(22)}${cells.map(cell => String(cell).padStart(9)).join('')}${`${share.toFixed(1)}%`.padStart(9)}`
}

const all: Graded[] = []
console.log(`${''.padEnd(22)}${['asked', 'right', 'unclear', 'wrong', ''].map(title => title.padStart(9)).join('')}`)
for (const name of suiteNames.filter(each => chosen.length === 0 || chosen.includes(each))) {
  const read = await readSuite(name)
  const suite = isSecondOnly ? { ...read, questions: read.questions.filter(({ second }) => second === true) } : read
  const engine = await suite.open()
  try {
    const graded = await askSuite(suite, engine)
    all.push(...graded)
    console.log(line(name, graded))
    if (showsFailures) {
      for (const { question, grade, text, sql } of graded) {
        if (grade === 'right' || question.held) continue
        console.log(`  ${grade}: ${question.ask}\n    ${sql ?? ''}\n    ${text.split('\n')[0]}`)
      }
    }
  } finally {
    engine.close()
  }
}
const isHeld = ({ question }: Graded) => question.held === true
console.log(
  line(
    'seen',
    all.filter(graded => !isHeld(graded)),
  ),
)
console.log(line('held out', all.filter(isHeld)))
const isSecond = ({ question }: Graded) => question.second === true
console.log(line('second set', all.filter(isSecond)))
console.log(
  line(
    'second set, held out',
    all.filter(graded => isSecond(graded) && isHeld(graded)),
  ),
)
console.log(
  line(
    'third set, held out',
    all.filter(graded => graded.question.third === true && isHeld(graded)),
  ),
)
console.log(line('all', all))
