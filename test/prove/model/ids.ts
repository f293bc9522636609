/** IDs that the product chooses, in a world that does not know them yet. */

/** An ID that the product chooses: not known before an answer has told it. */
export class Id {
  value: string | undefined
  /** Changes the name that it has until it is known; absent for none. */
  #rename: ((value: string) => void) | undefined
  readonly #onKnown: (value: string) => void

  constructor(onKnown: (value: string) => void = () => {}) {
    this.#onKnown = onKnown
  }

  /** Whether an answer has told it. */
  get isKnown(): boolean {
    return this.value !== undefined && this.#rename === undefined
  }

  /** Gives it a name until it is known. @param rename  is called with what it really is */
  guess(value: string, rename: (value: string) => void): void {
    this.tell(value)
    this.#rename = rename
  }

  /** Takes back what was guessed, unless it is known by now. */
  forgetGuess(): void {
    if (this.#rename === undefined) return
    this.#rename = undefined
    this.value = undefined
  }

  tell(value: string): void {
    const rename = this.#rename
    this.#rename = undefined
    this.value = value
    if (rename === undefined) this.#onKnown(value)
    else rename(value)
  }
}

/** A text in which IDs stand by the names that they have until they are known. */
export class TextOfIds {
  readonly #text: string
  readonly #ids: ReadonlyMap<string, Id>

  constructor(text: string, ids: ReadonlyMap<string, Id>) {
    this.#text = text
    this.#ids = new Map(ids)
  }

  /** With the IDs as they are known by now. */
  toString(): string {
    return this.#text.replace(GUESS, (name) => this.#ids.get(name)?.value ?? name)
  }
}

const GUESS = /guess-\d+/g
