/** Maps heading styles to HTML levels without gaps, whatever styles the author chose. Also runs in browsers. */
export class HeadingLevels {
  /** The styles of the enclosing headings, outermost first, such as 2, 4. */
  readonly #open: number[] = []

  /** @param style  1 to 4. @returns 2 to 6; the first heading has level 2 */
  next(style: number): number {
    while ((this.#open.at(-1) ?? 0) >= style) this.#open.pop()
    this.#open.push(style)
    return Math.min(6, this.#open.length + 1)
  }
}
