/** Text that comes in parts, each given on as far as it is known to be harmless. */
export interface PlainSpeech {
  push(part: string): string
  /** What was held back at the end. */
  end(): string
}

/**
 * Takes out of a text in Markdown what would load something as soon as it is shown: pictures, which are made links, and HTML, which is
 * made text. A model that was talked into it would tell by the address of a picture what it read (USERS.md section 5, "prompt-attack").
 */
export function createPlainSpeech(): PlainSpeech {
  let held = ''
  return {
    push(part) {
      const text = held + part
      // Whether these begin something is known with what follows.
      held = /[!<]+$/.exec(text)?.[0] ?? ''
      return harmless(text.slice(0, text.length - held.length))
    },
    end() {
      const rest = held
      held = ''
      return harmless(rest)
    },
  }
}

const harmless = (text: string) => text.replace(/!+(?=\[)/g, '').replace(/<(?=[a-z/!?])/gi, '&lt;')
