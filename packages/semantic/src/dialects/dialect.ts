/** What differs between databases, and nothing else. Arguments and results are SQL text. */
export interface Dialect {
  readonly textType: string
  /** Type in which a number, written in digits, is compared. */
  numberType(digits: string): string
  countDistinctApprox(input: string): string
  /** `text` with the characters replaced that mean something in a URL's query. */
  urlEncoded(text: string): string
  /** The start of the step of `seconds` that holds `time`, counted from `origin`. Both are local timestamps. */
  secondsBucket(time: string, seconds: number, origin: string): string
  /** The same for steps of `months`, counted from an `origin` that is the first of a month. */
  monthsBucket(time: string, months: number, origin: string): string
}
