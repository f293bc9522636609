/** Converts a Notion page, from either of the two export formats. */
import { IMPORT_HTML_BYTES } from '../../base/limits.ts'
import { attributeOf, findFirst, type HtmlElement, named } from '../../html/html-tree.ts'
import type { VisibleItem } from '../../losses/visible-item.ts'
import type { Block } from '../../markdown/block.ts'
import { type ImportContent, type ImportFile, plainContent } from '../../space/import/imported-content.ts'
import { type CheckedEnd, type CheckedText, checkLosses, fileEnd, webEnd } from '../check-losses.ts'
import type { LinkTargets } from '../import-format.ts'
import { extensionOf, type ImportProblem, readSourceFile } from '../import-source.ts'
import { convertNote } from '../markdown/convert-note.ts'
import { prepareNote } from '../markdown/prepare-note.ts'
import { decodeBytes } from '../text-decoding.ts'
import { type NotionHtmlPage, readNotionPage } from './notion-html.ts'
import { decoded, type NotionDatabase, type NotionIndex, type NotionPage, type NotionTarget } from './notion-index.ts'

/** How many characters of an address are repeated in a report. */
const SHOWN_LENGTH = 100

export interface ConvertedPage {
  title: string
  content: ImportContent
  /** Only from HTML exports. */
  properties: NotionHtmlPage['properties']
}

/** Anchors of the items of a database, and of its collection. */
export const itemAnchor = ({ file }: NotionPage): string => `item:${file.path}`
export const COLLECTION_ANCHOR = 'collection'

/**
 * Returns anchors for rows without a page, so that a later import recognizes them: by title, and by order if titles are
 * equal.
 */
export function rowAnchors({ pageless }: NotionDatabase): string[] {
  const counts = new Map<string, number>()
  return pageless.map(([title = '']) => {
    const count = (counts.get(title) ?? 0) + 1
    counts.set(title, count)
    return `row:${count}:${title}`
  })
}

export class NotionConversion {
  readonly problems: ImportProblem[] = []
  links = 0
  /** Addresses without a target. Each is reported once per page. */
  readonly #lost = new Set<string>()
  readonly #index: NotionIndex
  readonly #targets: LinkTargets

  constructor(index: NotionIndex, targets: LinkTargets) {
    this.#index = index
    this.#targets = targets
  }

  /** @throws Error if the page cannot be read */
  async convert(page: NotionPage): Promise<ConvertedPage> {
    const { text, note } = decodeBytes(await readSourceFile(page.file, IMPORT_HTML_BYTES))
    if (note !== undefined) this.problems.push({ path: page.file.path, kind: 'changed', message: note })
    return extensionOf(page.file.path) === 'html' ? await this.#html(page, text) : await this.#markdown(page, text)
  }

  async #html(page: NotionPage, html: string): Promise<ConvertedPage> {
    const files = new Map<Block, ImportFile>()
    const ids = new Map<Block, number>()
    const linked: Block[] = []
    const { path } = page.file
    const { title, properties, blocks } = readNotionPage(html, {
      addressOf: (href) => {
        const target = this.#find(href, path)
        if (target === undefined) return this.#missing(href, path)
        if (!('file' in target)) return this.#address(target)
        // The block of a file that the text links to is added at the end of the page.
        const id = this.#targets.newId()
        const block: Block = { type: 'file', text: '' }
        files.set(block, target.file)
        ids.set(block, id)
        linked.push(block)
        return `block://${id}`
      },
      media: (source, altText) => {
        const target = this.#find(source, path)
        if (target === undefined || !('file' in target)) return remoteMedia(source, altText)
        const block: Block = { type: 'image', text: '', ...(altText !== '' && { altText }) }
        files.set(block, target.file)
        return block
      },
      databaseAddress: (table) => this.#databaseOf(table, path),
      report: (message) => this.problems.push({ path, kind: 'changed', message }),
    })
    const content = { ...plainContent([...blocks, ...linked]), files, ids }
    await this.#check(page, { source: bodyOf(html), language: 'html', linesBefore: undefined, content })
    return { title: title === '' ? page.title : title, content, properties }
  }

  #find(href: string, from: string): NotionTarget | undefined {
    const target = this.#index.find(href, from)
    if (target !== undefined) this.links++
    return target
  }

  /** @param line  line of the address; only for Markdown pages */
  #missing(href: string, path: string, line?: number): string {
    const isReported = /^(?:[a-z][a-z0-9+.-]*:|#)/i.test(href) || this.#lost.has(`${path}/${href}`)
    this.#lost.add(`${path}/${href}`)
    if (isReported) return href
    const message = `A link is kept as it is: ${decoded(href).slice(0, SHOWN_LENGTH)} is not in the export.`
    this.problems.push({ path, ...(line !== undefined && { line }), kind: 'not found', message })
    return href
  }

  #address(target: Exclude<NotionTarget, { file: unknown }>): string {
    if ('database' in target) return `block://${this.#targets.idOf(target.database.path) ?? 0}`
    const { page } = target
    const { database } = page
    const id =
      database === undefined ? this.#targets.idOf(page.file.path) : this.#targets.idOf(database.path, itemAnchor(page))
    return `block://${id ?? 0}`
  }

  /**
   * A database table on a page lists items but does not name its database, so the first link in it is used to find the
   * database.
   */
  #databaseOf(table: HtmlElement, path: string): string | undefined {
    const link = findFirst(table, (one) => named('a')(one) && attributeOf(one, 'href') !== '')
    const target = link === undefined ? undefined : this.#index.find(attributeOf(link, 'href'), path)
    if (target === undefined || 'file' in target) return undefined
    const database = 'database' in target ? target.database : target.page.database
    return database === undefined ? undefined : attributeOf(link ?? table, 'href') && this.#address({ database })
  }

  async #markdown(page: NotionPage, text: string): Promise<ConvertedPage> {
    const { path } = page.file
    const { title, body, lines } = splitMarkdown(page, text.replace(/\r\n?/g, '\n'))
    const prepared = prepareNote(body, {
      ...{ linesBefore: lines, isVault: false, isOwn: false, anchors: new Set<string>() },
      resolve: (link) => ({ literal: link.written }),
      report: (line, message) => this.problems.push({ path, line, kind: 'changed', message }),
    })
    const content = await convertNote(
      { ...prepared, text: withCallouts(prepared.text) },
      {
        files: [],
        endOf: (address) => {
          const target = this.#index.find(address, path)
          if (target === undefined) {
            this.#missing(address, path, lines + lineOf(body, address))
            return undefined
          }
          return 'file' in target ? { file: target.file } : { address: this.#address(target) }
        },
        idOf: () => undefined,
        newId: () => this.#targets.newId(),
        draw: async () => {},
        countLink: () => this.links++,
        report: () => {},
      },
    )
    await this.#check(page, { source: body, language: 'markdown', linesBefore: lines, content })
    return { title, content, properties: [] }
  }

  async #check(
    { file: { path } }: NotionPage,
    text: Pick<CheckedText, 'source' | 'language' | 'linesBefore' | 'content'>,
  ): Promise<void> {
    const problems = this.problems.filter((problem) => problem.path === path)
    const endOf = (item: VisibleItem): CheckedEnd | undefined => {
      const target = this.#index.find(item.value, path)
      if (target === undefined) return text.language === 'html' ? webEnd(item) : { address: item.value }
      // In HTML an image is inside of a link to itself.
      if ('file' in target && item.kind === 'link' && text.language === 'html') return undefined
      return 'file' in target
        ? { address: fileEnd(target.file.path) }
        : { address: this.#address(target), isLink: true }
    }
    this.problems.push(...(await checkLosses({ ...text, path, problems, endOf })))
  }
}

/** The page without its title and the table of its properties. */
const bodyOf = (html: string): string => html.slice(Math.max(0, html.indexOf('<div class="page-body"')))

/** Returns the line number of the first occurrence of a part, starting at 1. */
const lineOf = (text: string, part: string): number => text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length

const FILM = /\.(?:mp4|mov|m4v|webm)(?:[?#]|$)/i
const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|avif)(?:[?#]|$)/i

/** Returns the block for an address on the web. */
function remoteMedia(url: string, altText: string): Block {
  if (FILM.test(url)) return { type: 'video', text: '', url }
  if (PICTURE.test(url) || url.startsWith('data:image/')) {
    return { type: 'image', text: '', url, ...(altText !== '' && { altText }) }
  }
  return { type: 'richUrl', text: '', url, ...(altText !== '' && altText !== url && { title: altText }) }
}

/**
 * Separates the title at the beginning of a page. For an item, the lines with its properties are removed too, since the
 * table also contains them.
 */
function splitMarkdown({ title, database }: NotionPage, text: string): { title: string; body: string; lines: number } {
  const lines = text.split('\n')
  const [first = ''] = lines
  const found = /^# (.+)$/.exec(first)?.[1]?.trim()
  let start = found === undefined ? 0 : 1
  if (database !== undefined) {
    const names = new Set(database.header)
    let end = start
    while (lines[end]?.trim() === '') end++
    const from = end
    while (names.has(/^([^:\n]+): /.exec(`${lines[end] ?? ''} `)?.[1] ?? '')) end++
    if (end > from) start = end
  }
  return { title: found ?? title, body: lines.slice(start).join('\n'), lines: start }
}

/** Notion writes callouts between `<aside>` and `</aside>`. */
function withCallouts(text: string): string {
  const starts = text.match(/^<aside>$/gm)?.length ?? 0
  const ends = text.match(/^<\/aside>$/gm)?.length ?? 0
  if (starts === 0 || starts !== ends) return text
  return text.replace(/^<aside>$/gm, '<callout>').replace(/^<\/aside>$/gm, '\n</callout>')
}
