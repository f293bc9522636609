/**
 * Replaces the addresses of pages in an exported HTML file: links lead to places in the file, or are words, and pictures
 * are in it as data.
 */
import { resolveReachedFile } from '../../auth/access-links/access-links.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import type { Space } from '../../space/model/space.ts'
import { drawBoard } from '../documents/board-picture.ts'
import type { PageCall } from '../page-call.ts'
import type { PutText } from './page-transfers.ts'
import { OWN_PAGES } from './snapshot-call.ts'

/** Text cannot contain this, since quotes in it are escaped. */
const OWN = new RegExp(` (href|src)="${OWN_PAGES}([^"]*)"`, 'g')
/** Bytes that are encoded at once; a multiple of 3, so that parts of base64 can be joined. */
const ENCODED_AT_ONCE = 48 * 1024
/** Shown where the bytes of a picture are missing. */
const NO_PICTURE = ''

export class ExportedAddresses {
  readonly #call: PageCall
  readonly #view: Space
  readonly #pages = new Set<string>()
  readonly #blocks = new Set<string>()
  readonly #days = new Map<string, string>()

  constructor(call: PageCall, view: Space) {
    this.#call = call
    this.#view = view
  }

  /** A page is at `#p` and its ID, a block at `#b` and its ID. */
  addPage(id: string): void {
    this.#pages.add(id)
  }

  addBlock(id: string): void {
    this.#blocks.add(id)
  }

  addDay(day: string, id: string): void {
    this.#days.set(day, id)
  }

  /** Puts out a part of the file. Everything that it can lead to must have been added. */
  async put(text: string, put: PutText): Promise<void> {
    let at = 0
    for (const found of text.matchAll(OWN)) {
      const [whole, attribute, address = ''] = found
      const before = text.slice(at, found.index)
      at = found.index + whole.length
      if (attribute === 'href') {
        await put(`${before}${this.#link(address)}`)
        continue
      }
      await put(`${before} src="`)
      await this.#picture(address, put)
      await put('"')
    }
    await put(text.slice(at))
  }

  /** An attribute, or nothing: `<a>` without an address is words. */
  #link(address: string): string {
    const [, kind, rest = ''] = /^\/(\w+)\/([^/?#]+)/.exec(address) ?? []
    const id = kind === 'days' ? this.#days.get(rest) : rest
    if (id === undefined || (kind !== 'd' && kind !== 'days' && kind !== 'collections')) return ''
    return this.#pages.has(id) ? ` href="#p${id}"` : this.#blocks.has(id) ? ` href="#b${id}"` : ''
  }

  async #picture(address: string, put: PutText): Promise<void> {
    const [, kind, id = ''] = /^\/(files|whiteboards)\/([^/?#]+)/.exec(address) ?? []
    if (kind === 'files') return this.#file(id, put)
    const { info } = this.#view
    const svg = await drawBoard(await this.#call.run('elements_list', { whiteboardBlockId: id }), info.fontFolder)
    await put(svg === undefined ? NO_PICTURE : `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`)
  }

  async #file(id: string, put: PutText): Promise<void> {
    try {
      const file = await resolveReachedFile(this.#view, this.#view.link, id)
      if (!file.mimeType.startsWith('image/')) return
      const bytes = await this.#view.files.read(file)
      await put(`data:${file.mimeType.replace(/[^\w/.+-]/g, '')};base64,`)
      let rest = Buffer.alloc(0)
      for await (const chunk of bytes) {
        const all = Buffer.concat([rest, chunk])
        const whole = all.length - (all.length % 3)
        for (let start = 0; start < whole; start += ENCODED_AT_ONCE) {
          await put(all.toString('base64', start, Math.min(start + ENCODED_AT_ONCE, whole)))
        }
        rest = all.subarray(whole)
      }
      await put(rest.toString('base64'))
    } catch (error) {
      // The text beside it says what it showed.
      if (!(error instanceof ScriptoriumError) || error.code === 'PAYLOAD_TOO_LARGE') throw error
    }
  }
}
