/**
 * Unsaved text in localStorage: drafts that are not queued as calls yet, and the user's side of a conflict until they
 * choose a version. It belongs to the session that typed it.
 */
import type { TitleAttribute } from '../../../../markdown/inline-title.ts'
import { textPrefix } from '../../session-name.ts'
import type { Fields } from '../blocks/block-text.ts'

export interface UnsavedText {
  blockId: string
  fields: Fields
  words: string
  /** For the title of a page: its marks. */
  attributes?: readonly TitleAttribute[]
  /** For conflicts: text of an earlier conflict that `words` does not contain. */
  earlier?: string
  /** The Markdown of the block when the text was typed. */
  expected: string
  /** The reason why the text could not be saved, if there are no two versions to choose from. */
  reason?: string
}

/** All text of a conflict. */
export const allWords = ({ earlier, words }: UnsavedText): string =>
  earlier === undefined ? words : `${earlier}\n\n${words}`

export type UnsavedKind = 'draft' | 'conflict'

export class UnsavedTextStore {
  readonly #prefix: string

  /**
   * @param base  the base address of the space's pages
   * @param session  the name of the session
   */
  constructor(base: string, session: string, documentId: string) {
    this.#prefix = `${textPrefix(base, session)}${documentId}`
  }

  put(kind: UnsavedKind, kept: UnsavedText): void {
    localStorage.setItem(this.#key(kind, kept.blockId), JSON.stringify(kept))
  }

  get(kind: UnsavedKind, blockId: string): UnsavedText | undefined {
    const text = localStorage.getItem(this.#key(kind, blockId))
    return text === null ? undefined : (JSON.parse(text) as UnsavedText)
  }

  remove(kind: UnsavedKind, blockId: string): void {
    localStorage.removeItem(this.#key(kind, blockId))
  }

  all(kind: UnsavedKind): UnsavedText[] {
    const prefix = this.#key(kind, '')
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => JSON.parse(localStorage.getItem(key) ?? '{}') as UnsavedText)
  }

  /** Listens for changes that other tabs make to the stored texts. */
  onOtherTab(
    kind: UnsavedKind,
    { put, removed }: { put(kept: UnsavedText): void; removed(blockId: string): void },
  ): void {
    const prefix = this.#key(kind, '')
    window.addEventListener('storage', ({ key, newValue }) => {
      if (!key?.startsWith(prefix)) return
      if (newValue === null) removed(key.slice(prefix.length))
      else put(JSON.parse(newValue) as UnsavedText)
    })
  }

  #key(kind: UnsavedKind, blockId: string): string {
    return `${this.#prefix} ${kind} ${blockId}`
  }
}
