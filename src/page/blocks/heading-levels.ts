/** Which element a heading is: they follow one another without a gap, whatever styles the writer chose. Runs in browsers, too. */
export class HeadingLevels {
  /** The styles of the headings that the current place is under, outermost first: 2, 4. */
  readonly #open: number[] = []

  /** @param style  1 to 4. @returns 2 to 6, the first heading being of the second level */
  next(style: number): number {
    while ((this.#open.at(-1) ?? 0) >= style) this.#open.pop()
    this.#open.push(style)
    return Math.min(6, this.#open.length + 1)
  }
}
