/** Reads a pattern from left to right, one whole character at a time. */
export class Reader {
  readonly source: readonly string[]
  /** Characters read so far. */
  at = 0

  constructor(source: string) {
    this.source = [...source]
  }

  get done(): boolean {
    return this.at >= this.source.length
  }

  /** Place of the next character as reported in errors, from 1. */
  get place(): number {
    return this.at + 1
  }

  /** The next character, or the one `ahead` characters after it; empty beyond the end. */
  peek(ahead = 0): string {
    return this.source[this.at + ahead] ?? ''
  }

  /** Reads one character; empty at the end. */
  next(): string {
    const character = this.peek()
    if (character !== '') this.at++
    return character
  }

  /** True if the text comes next. */
  sees(text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.peek(index) !== text[index]) return false
    return true
  }

  /** Consumes the text if it comes next. */
  accept(text: string): boolean {
    const matches = this.sees(text)
    if (matches) this.at += text.length
    return matches
  }

  /** Consumes characters as long as they match. */
  takeWhile(wanted: RegExp): string {
    const from = this.at
    while (!this.done && wanted.test(this.peek())) this.at++
    return this.since(from)
  }

  /** The text read since an index, counted from 0. */
  since(from: number): string {
    return this.source.slice(from, this.at).join('')
  }

  /** The text between two indexes, counted from 0. */
  between(from: number, to: number): string {
    return this.source.slice(from, to).join('')
  }

  /** The next index of the text, counted from 0; -1 if there is none. */
  find(text: string): number {
    const start = this.at
    while (!this.done && !this.sees(text)) this.at++
    const index = this.done ? -1 : this.at
    this.at = start
    return index
  }
}
