/** New IDs: UUIDv7, so that what is made later sorts later and is written beside what was made before (RFC 9562). */
import { V7Generator } from 'uuidv7'

/** Random words that are had at once: one call of the system for each few of them took longer than all else. */
const BUFFERED_WORDS = 1_024

class RandomWords {
  readonly #words = new Uint32Array(BUFFERED_WORDS)
  #next = BUFFERED_WORDS

  nextUint32(): number {
    if (this.#next >= BUFFERED_WORDS) {
      crypto.getRandomValues(this.#words)
      this.#next = 0
    }
    return this.#words[this.#next++] ?? 0
  }
}

const generator = new V7Generator(new RandomWords())

/** In 36 lower-case characters; each sorts after those that this process made before. */
export const newUuid = (): string => generator.generate().toString()
