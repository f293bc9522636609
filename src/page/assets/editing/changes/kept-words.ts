/**
 * Words that a person typed and that are nowhere else yet, in the storage of the browser, which keeps them at once: what
 * is typed until it is a call, and one of two versions until somebody has chosen.
 */
import type { TitleAttribute } from '../../../../markdown/inline-title.ts'
import type { Fields } from '../blocks/block-text.ts'

export interface KeptWords {
  blockId: string
  fields: Fields
  words: string
  /** Of the title of a page: its marks. */
  attributes?: readonly TitleAttribute[]
  /** Of a choice: what was kept before and is no part of the words. */
  earlier?: string
  /** The Markdown of the block that they were typed into. */
  expected: string
  /** In place of a choice: why they could not be written. */
  reason?: string
}

/** All that a choice is about. */
export const allWords = ({ earlier, words }: KeptWords): string =>
  earlier === undefined ? words : `${earlier}\n\n${words}`

export type KeptKind = 'draft' | 'conflict'

export class WordsStore {
  readonly #prefix: string

  constructor(base: string, documentId: string) {
    this.#prefix = `scriptorium ${base} ${documentId}`
  }

  put(kind: KeptKind, kept: KeptWords): void {
    localStorage.setItem(this.#key(kind, kept.blockId), JSON.stringify(kept))
  }

  get(kind: KeptKind, blockId: string): KeptWords | undefined {
    const text = localStorage.getItem(this.#key(kind, blockId))
    return text === null ? undefined : (JSON.parse(text) as KeptWords)
  }

  remove(kind: KeptKind, blockId: string): void {
    localStorage.removeItem(this.#key(kind, blockId))
  }

  all(kind: KeptKind): KeptWords[] {
    const prefix = this.#key(kind, '')
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => JSON.parse(localStorage.getItem(key) ?? '{}') as KeptWords)
  }

  /** Hears of what other tabs keep, or keep no longer. */
  onOtherTab(kind: KeptKind, { put, removed }: { put(kept: KeptWords): void; removed(blockId: string): void }): void {
    const prefix = this.#key(kind, '')
    window.addEventListener('storage', ({ key, newValue }) => {
      if (!key?.startsWith(prefix)) return
      if (newValue === null) removed(key.slice(prefix.length))
      else put(JSON.parse(newValue) as KeptWords)
    })
  }

  #key(kind: KeptKind, blockId: string): string {
    return `${this.#prefix} ${kind} ${blockId}`
  }
}
