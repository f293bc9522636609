/** A pattern that is read from left to right, a whole character at a time. */
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

  /** The place of the next character as faults name it, from 1. */
  get place(): number {
    return this.at + 1
  }

  /** The character that comes next, or the one so many after it; empty beyond the end. */
  peek(ahead = 0): string {
    return this.source[this.at + ahead] ?? ''
  }

  /** Reads one character; empty at the end. */
  next(): string {
    const character = this.peek()
    if (character !== '') this.at++
    return character
  }

  /** Whether the text comes next. */
  sees(text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.peek(index) !== text[index]) return false
    return true
  }

  /** Reads the text if it comes next. */
  take(text: string): boolean {
    const found = this.sees(text)
    if (found) this.at += text.length
    return found
  }

  /** Reads characters as long as they match. */
  takeWhile(wanted: RegExp): string {
    const from = this.at
    while (!this.done && wanted.test(this.peek())) this.at++
    return this.since(from)
  }

  /** What was read from a place on, counted from 0. */
  since(from: number): string {
    return this.source.slice(from, this.at).join('')
  }

  /** What stands between two places, counted from 0. */
  between(from: number, to: number): string {
    return this.source.slice(from, to).join('')
  }

  /** The place, counted from 0, where the text next stands; -1 if nowhere. */
  find(text: string): number {
    const start = this.at
    while (!this.done && !this.sees(text)) this.at++
    const found = this.done ? -1 : this.at
    this.at = start
    return found
  }
}
