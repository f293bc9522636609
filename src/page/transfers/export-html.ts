/**
 * Exports documents as one HTML file to print or to send: style and pictures are in it, it has no script, and opening it
 * sends no request.
 *
 * Blocks are rendered as on the pages. Links to what is in the file lead there, and links to other documents are words.
 */

import { formatNumber } from '../../base/format-number.ts'
import { EXPORT_HTML_BYTES, EXPORT_HTML_DOCUMENTS } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { countExportedComments } from '../../space/export/count-comments.ts'
import { type ExportChoice, listExported } from '../../space/export/list-documents.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import type { Space } from '../../space/model/space.ts'
import { assetText } from '../assets.ts'
import type { BlockContext } from '../blocks/block-context.ts'
import { BlockWriter, titleHtml, titleText } from '../blocks/block-writer.ts'
import { viewHtml } from '../collections/collection-html.ts'
import { readCollection } from '../collections/read-collection.ts'
import { coverHtml } from '../documents/document-cover.ts'
import { type Html, html, joinHtml, trusted } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import { refused } from '../page-refusal.ts'
import { pageLocale } from '../texts/language.ts'
import { count, text } from '../texts/text.ts'
import { ExportedAddresses } from './exported-addresses.ts'
import type { PutText } from './page-transfers.ts'
import { withSnapshot } from './snapshot-call.ts'
import { readWholeDocument } from './whole-document.ts'

/** Items of a collection that are read at once. */
const ITEMS_PER_READ = 1_000
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/**
 * @param title  of the file
 * @param script  the address of a script of the page, if it is shown rather than saved
 * @throws VALIDATION_ERROR if an ID is not that of a document or folder within reach; PAYLOAD_TOO_LARGE for too much
 */
export const writeHtml = (
  call: PageCall,
  choice: ExportChoice,
  title: string,
  put: PutText,
  script?: string,
): Promise<void> =>
  withSnapshot(call, async (snapshot, view) => {
    const records = await listExported(view, choice)
    if (records.length > EXPORT_HTML_DOCUMENTS) throw tooMany(records.length)
    const file = new HtmlFile(snapshot, view)
    for (const record of records) await file.add(view.spellId(record.id), record.dailyNoteDate)
    await file.write(title, await countExportedComments(view, records), put, script)
  })

class HtmlFile {
  readonly #call: PageCall
  readonly #addresses: ExportedAddresses
  readonly #context: BlockContext
  readonly #titles: { id: string; title: string }[] = []
  readonly #parts: string[] = []
  #length = 0

  constructor(call: PageCall, view: Space) {
    this.#call = call
    this.#addresses = new ExportedAddresses(call, view)
    const { links, formulas, formats } = call
    this.#context = {
      ...{ links, formulas, formats, mayChange: false, isEditable: false },
      isFresh: () => false,
      writerOf: () => '',
      collection: (block) => this.#collection(block),
    }
  }

  /** @param day  the day of a daily note */
  async add(id: string, day: string | null | undefined): Promise<void> {
    const root = await readWholeDocument(this.#call, { id })
    this.#titles.push({ id, title: shownTitle(titleText(root)) })
    this.#addresses.addPage(id)
    if (day) this.#addresses.addDay(day, id)
    // Pages in a document follow it, in the order in which they are found.
    const pages: JsonBlock[] = []
    await this.#part(html`<article id="p${id}">${await coverHtml(this.#call, root)}<h1 dir="auto">${titleHtml(root, this.#context)}</h1>
${await this.#blocks(root, pages)}</article>`)
    for (const page of pages) {
      this.#addresses.addPage(page.id)
      await this.#part(html`<article class="inner" id="p${page.id}">${await coverHtml(this.#call, page)}<h2 dir="auto">${titleHtml(page, this.#context)}</h2>
${await this.#blocks(page, pages)}</article>`)
    }
  }

  /** @param pages  gets those in the page that have text of their own */
  async #blocks({ content = [] }: JsonBlock, pages: JsonBlock[]): Promise<Html> {
    for (const block of content) {
      this.#addresses.addBlock(block.id)
      const items = block.type === 'collection' ? (block.content ?? []) : [block]
      pages.push(...items.filter((one) => (one.content?.length ?? 0) > 0))
    }
    const writer = new BlockWriter(this.#context)
    return html`${await writer.write(content.map(printed))}${writer.end()}`
  }

  async #collection({ id }: JsonBlock): Promise<Html> {
    const shown = await readCollection(this.#call, id, { limit: ITEMS_PER_READ })
    for (let cursor = shown.answer.pagination?.cursor; cursor !== undefined; ) {
      const more = await readCollection(this.#call, id, { limit: ITEMS_PER_READ, cursor })
      shown.answer.items.push(...more.answer.items)
      shown.titles = new Map([...shown.titles, ...more.titles])
      cursor = more.answer.pagination?.cursor
    }
    shown.showsAllValues = true
    return html`<div class="collection"><p class="collection-title">${shownTitle(shown.schema.name)}</p>${viewHtml(this.#call, shown)}</div>`
  }

  async #part(part: Html): Promise<void> {
    const [filled = part] = await this.#call.formulas.fill([part])
    // Nothing opens and closes in a file without scripts that is printed.
    const text = String(filled).replaceAll('<details>', '<details open>')
    this.#length += text.length
    if (this.#length > EXPORT_HTML_BYTES) throw tooLong()
    this.#parts.push(text)
  }

  /** @param comments  how many are left out */
  async write(title: string, comments: number, put: PutText, script?: string): Promise<void> {
    await put(String(headHtml(title, script)))
    if (this.#titles.length !== 1) {
      const entries = this.#titles.map((one) => html`<li><a href="#p${one.id}">${one.title}</a></li>`)
      await put(
        String(html`<header><h1 dir="auto">${title}</h1><ul class="contents">${joinHtml(entries)}</ul></header>\n`),
      )
    }
    for (const part of this.#parts) await this.#addresses.put(part, put)
    if (comments > 0) await put(String(leftOutHtml(comments)))
    await put('</main>\n</body>\n</html>\n')
  }
}

const leftOutHtml = (comments: number): Html =>
  html`<footer class="left-out">${count(comments, { one: '{n} comment left out.', other: '{n} comments left out.' })} ${text('An export as Markdown has them.')}</footer>
`

/** Films are named, since nothing plays on paper, and a file without them can be sent. */
const printed = (block: JsonBlock): JsonBlock =>
  block.type === 'video' ? { ...block, type: 'file', fileName: block.fileName || block.altText || text('Film') } : block

const headHtml = (title: string, script: string | undefined): Html => html`<!doctype html>
<html lang="${pageLocale().language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(script === undefined ? POLICY : `${POLICY}; script-src 'self'`)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(assetText('export.css'))}</style>${script !== undefined && html`<script src="${script}" type="module"></script>`}
</head>
<body class="exported">
<main>
`

const tooMany = (found: number) =>
  refused(
    text('Expected at most {most} documents in one HTML file, found {found}; export a folder, or Markdown.', {
      most: formatNumber(EXPORT_HTML_DOCUMENTS),
      found: formatNumber(found),
    }),
    'PAYLOAD_TOO_LARGE',
  )

const tooLong = () =>
  refused(
    text('Expected an HTML file of at most {most} bytes, found more; export fewer documents, or Markdown.', {
      most: formatNumber(EXPORT_HTML_BYTES),
    }),
    'PAYLOAD_TOO_LARGE',
  )
