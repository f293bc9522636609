/** Links between the files of an export. */

import { NoteIndex } from '../../import/markdown/note-index.ts'
import { anchorKey } from '../../import/markdown/note-links.ts'
import { parseAddress } from '../../markdown/addresses.ts'
import type { DocumentsToExport } from '../../space/export/list-documents.ts'
import type { ExportedFile } from './read-spelling.ts'
import { encodePart, relativeAddress, type VaultState } from './vault-layout.ts'

/** The file that contains a document, item or linked block, and how links name the block in it; empty for the whole. */
export interface LinkPlace {
  path: string
  anchor: string
}

export class VaultLinks {
  readonly #plan: DocumentsToExport
  readonly #state: VaultState
  #files: readonly ExportedFile[] | undefined
  #index: NoteIndex<ExportedFile> | undefined

  constructor(plan: DocumentsToExport, state: VaultState) {
    this.#plan = plan
    this.#state = state
  }

  /** All files that links can lead to, as an import of the export finds them. */
  get files(): readonly ExportedFile[] {
    this.#files ??= this.#listFiles()
    return this.#files
  }

  /** The target of a link, relative to a note. Undefined if it is not in the export. */
  addressOf(url: string, from: string): string | undefined {
    const place = this.#placeOfAddress(url)
    if (place === undefined) return undefined
    const { path } = place
    const anchor = place.anchor === '' ? '' : `#${encodePart(place.anchor).replace(/^%5E/, '^')}`
    return path === from && anchor !== '' ? anchor : `${relativeAddress(from, path)}${anchor}`
  }

  /** True for the address of a document or block. */
  isLink = (url: string): boolean => idOf(url) !== undefined

  /** What stands in the double brackets of a link with these words. Undefined if such a link would not lead there. */
  wikiLinkOf(url: string, wikiText: string, from: string): string | undefined {
    const place = this.#placeOfAddress(url)
    if (place === undefined) return undefined
    const { path, anchor } = place
    const target = path === from && anchor !== '' ? '' : this.#shortest(path, from)
    if (target === undefined) return undefined
    const shown = [target, anchor.startsWith('^') && target !== '' ? '' : anchor].filter((part) => part !== '')
    const whole = anchor === '' ? target : `${target}#${anchor}`
    return wikiText === shown.join(' > ') ? whole : `${whole}|${wikiText}`
  }

  /** A wiki link, as values of properties contain them, or the block address if the target is not in the export. */
  linkTo(id: number): string {
    const place = this.#placeOf(id)
    if (place === undefined) return `block://${id}`
    const anchor = place.anchor === '' ? '' : `#${place.anchor}`
    return `[[${place.path.replace(/\.md$/, '')}${anchor}]]`
  }

  /** The shortest name by which a link finds a file. */
  #shortest(path: string, from: string): string | undefined {
    this.#index ??= new NoteIndex(this.files)
    const whole = path.replace(/\.(?:md|markdown)$/, '')
    const names = [whole.slice(whole.lastIndexOf('/') + 1), whole]
    const finds = (target: string) =>
      this.#index?.find({ written: '', target, anchor: '', isEmbed: false, isWiki: true }, from)?.path === path
    return /[#^|[\]]/.test(whole) ? undefined : names.find(finds)
  }

  #placeOfAddress(url: string): LinkPlace | undefined {
    const id = idOf(url)
    return id === undefined ? undefined : this.#placeOf(id)
  }

  #placeOf(id: number): LinkPlace | undefined {
    const item = this.#state.itemsById.get(id)
    const root = this.#state.roots.get(id)
    const around = this.#plan.itemsAround.get(id)
    const path =
      item !== undefined
        ? this.#state.items.get(item.n)
        : around !== undefined
          ? this.#state.items.get(around)
          : this.#state.paths.get(root ?? this.#plan.linked.get(id) ?? 0)
    if (path === undefined) return undefined
    return { path, anchor: item === undefined && root === undefined ? (this.#plan.anchors.get(id) ?? '') : '' }
  }

  #listFiles(): ExportedFile[] {
    const { roots, paths, itemsById, items, collections, filePaths } = this.#state
    const notes = new Map<string, ExportedFile & { anchors: Map<string, number> }>()
    const add = (path: string | undefined, id: number) => {
      if (path !== undefined) notes.set(path, { path, aliases: [], isNote: true, id, anchors: new Map() })
    }
    for (const [id, n] of roots) {
      add(paths.get(n), id)
      const yaml = this.#plan.aliases.get(n)
      const note = notes.get(paths.get(n) ?? '')
      if (note !== undefined && yaml !== undefined) note.yaml = yaml
    }
    for (const [id, { n }] of itemsById) add(items.get(n), id)
    for (const id of this.#plan.linked.keys()) {
      const place = this.#placeOf(id)
      if (place === undefined || place.anchor === '') continue
      notes.get(place.path)?.anchors.set(anchorKey(place.anchor), id)
    }
    const others = [...filePaths.values(), ...[...collections.values()].map(({ base }) => base)]
    return [...notes.values(), ...others.map((path) => ({ path, aliases: [], isNote: false }))]
  }
}

function idOf(url: string): number | undefined {
  const target = parseAddress(url)
  const text = target?.isMember ? undefined : target?.ids[0]
  return text !== undefined && /^\d{12}$/.test(text) ? Number(text) : undefined
}
