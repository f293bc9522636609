/**
 * Unsaved text in localStorage: drafts that are not queued as calls yet, and the user's side of a conflict until they
 * choose a version. It belongs to the session that typed it. Each tab keeps its own, so that no tab overwrites what was
 * typed in another one; a conflict is shown with the text of all tabs.
 */
import type { TitleAttribute } from '../../../markdown/inline-title.ts'
import type { Fields } from '../model/block-text.ts'
import { textPrefix } from '../session-name.ts'

export interface UnsavedText {
  blockId: string
  fields: Fields
  text: string
  /** For the title of a page: its marks. */
  attributes?: readonly TitleAttribute[]
  /** For conflicts: text of an earlier conflict, or of other tabs, that `text` does not contain. */
  earlier?: string
  /** The Markdown of the block when the text was typed. */
  expected: string
  /** The reason why the text could not be saved, if there are no two versions to choose from. */
  reason?: string
}

/** All text of a conflict. */
export const fullText = ({ earlier, text }: UnsavedText): string =>
  earlier === undefined ? text : `${earlier}\n\n${text}`

/** Reads a stored text. Earlier versions stored the text as `words`. */
export function parseUnsaved(stored: string): UnsavedText {
  const { words, ...kept } = JSON.parse(stored) as UnsavedText & { words?: string }
  return words === undefined ? kept : { ...kept, text: words }
}

export type UnsavedKind = 'draft' | 'conflict'

/** A stored text, and where it was typed. */
export interface StoredText {
  key: string
  documentId: string
  kind: string
  /** Empty for what was stored before tabs had names. */
  tab: string
  kept: UnsavedText
}

/**
 * The unsaved text of a session.
 *
 * @param base  the base address of the space's pages
 * @param start  the start of the keys: the ID of a document, a kind, and the ID of a block
 */
export function storedTexts(base: string, session: string, start = ''): StoredText[] {
  const prefix = textPrefix(base, session)
  return Object.keys(localStorage).flatMap((key) => {
    const text = key.startsWith(`${prefix}${start}`) ? localStorage.getItem(key) : null
    if (text === null) return []
    const [documentId = '', kind = '', , tab = ''] = key.slice(prefix.length).split(' ')
    return [{ key, documentId, kind, tab, kept: parseUnsaved(text) }]
  })
}

export class UnsavedTextStore {
  readonly #base: string
  readonly #session: string
  readonly #documentId: string
  readonly #tab: string

  /**
   * @param base  the base address of the space's pages
   * @param session  the name of the session
   * @param tab  the name of the tab
   */
  constructor(base: string, session: string, documentId: string, tab: string) {
    this.#base = base
    this.#session = session
    this.#documentId = documentId
    this.#tab = tab
  }

  /** @param tab  the tab in which the text was typed, if it was another one */
  put(kind: UnsavedKind, kept: UnsavedText, tab = this.#tab): void {
    localStorage.setItem(`${this.#prefix(kind)}${kept.blockId} ${tab}`, JSON.stringify(kept))
  }

  /** The text of one tab. */
  get(kind: UnsavedKind, blockId: string, tab = this.#tab): UnsavedText | undefined {
    const text = localStorage.getItem(`${this.#prefix(kind)}${blockId} ${tab}`)
    return text === null ? undefined : parseUnsaved(text)
  }

  /** The user's side of a conflict, with the text of all tabs. */
  conflict(blockId: string): UnsavedText | undefined {
    const [first, ...others] = this.#all('conflict', blockId).map(({ kept }) => kept)
    if (first === undefined) return undefined
    const before = new Set(others.map(fullText).filter((text) => !fullText(first).includes(text)))
    if (before.size === 0) return first
    return { ...first, earlier: [...before, ...(first.earlier === undefined ? [] : [first.earlier])].join('\n\n') }
  }

  /** Removes a draft of this tab, or a conflict with the text of all tabs. */
  remove(kind: UnsavedKind, blockId: string): void {
    for (const { key, tab } of this.#all(kind, blockId)) {
      if (kind === 'conflict' || tab === this.#tab) localStorage.removeItem(key)
    }
  }

  /** The blocks with two versions. */
  get conflicts(): Set<string> {
    return new Set(this.#all('conflict').map(({ kept }) => kept.blockId))
  }

  /** Calls a function with the ID of the block when another tab stores or removes a conflict. */
  onOtherTab(changed: (blockId: string) => void): void {
    const prefix = this.#prefix('conflict')
    window.addEventListener('storage', ({ key }) => {
      const [blockId] = key?.startsWith(prefix) ? key.slice(prefix.length).split(' ') : []
      if (blockId !== undefined) changed(blockId)
    })
  }

  #all(kind: UnsavedKind, blockId = ''): StoredText[] {
    const found = storedTexts(this.#base, this.#session, `${this.#documentId} ${kind} ${blockId}`)
    return found.filter(({ kept }) => blockId === '' || kept.blockId === blockId)
  }

  #prefix(kind: UnsavedKind): string {
    return `${textPrefix(this.#base, this.#session)}${this.#documentId} ${kind} `
  }
}
