/** The server answered with an error instead of what was asked. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Refusal'
  }
}

/** The server answered, and what it says is not so. */
export class WrongAnswer extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongAnswer'
  }
}

export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal
