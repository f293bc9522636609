/** IDs chosen by the product, which the model does not know at first. */

/** An ID chosen by the product, unknown until a response contains it. */
export class Id {
  value: string | undefined
  /** Replaces the placeholder by the real ID. Absent if the ID has no placeholder. */
  #rename: ((value: string) => void) | undefined
  readonly #onKnown: (value: string) => void

  constructor(onKnown: (value: string) => void = () => {}) {
    this.#onKnown = onKnown
  }

  /** True once a response has contained it. */
  get isKnown(): boolean {
    return this.value !== undefined && this.#rename === undefined
  }

  /** Sets a placeholder until the ID is known. @param rename  is called with the real ID */
  guess(value: string, rename: (value: string) => void): void {
    this.assign(value)
    this.#rename = rename
  }

  /** Removes the placeholder, unless the ID is known by now. */
  forgetGuess(): void {
    if (this.#rename === undefined) return
    this.#rename = undefined
    this.value = undefined
  }

  assign(value: string): void {
    const rename = this.#rename
    this.#rename = undefined
    this.value = value
    if (rename === undefined) this.#onKnown(value)
    else rename(value)
  }
}

/** A text that contains placeholders of IDs. */
export class TextOfIds {
  readonly #text: string
  readonly #ids: ReadonlyMap<string, Id>

  constructor(text: string, ids: ReadonlyMap<string, Id>) {
    this.#text = text
    this.#ids = new Map(ids)
  }

  /** The text with the real IDs where they are known. */
  toString(): string {
    return this.#text.replace(GUESS, (name) => this.#ids.get(name)?.value ?? name)
  }
}

const GUESS = /guess-\d+/g
