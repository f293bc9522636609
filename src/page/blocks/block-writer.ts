/**
 * Renders blocks as HTML, in order. Lists are nested by the levels of their items. Lists that are open at the end of
 * one part of a long document continue in the next.
 */

import { isCommentBlock } from '../../markdown/block.ts'
import { fenceLabel } from '../../markdown/blocks/code-block.ts'
import { plainTitle, type Title, writeTitle } from '../../markdown/inline-title.ts'
import { type ItemNumber, itemLabel, ListNumbers } from '../../markdown/list-numbers.ts'
import { textWithoutPrefix } from '../../markdown/text-without-prefix.ts'
import { countedBlock } from '../../markdown/written-numbers.ts'
import { type JsonBlock, withDepth } from '../../space/model/json-block.ts'
import { type Html, html, joinHtml, NOTHING, trusted } from '../html.ts'
import { pictureHtml } from '../member-picture.ts'
import type { PageLinks } from '../page-links.ts'
import { text } from '../texts/text.ts'
import type { BlockContext } from './block-context.ts'
import { calloutClasses } from './callout-classes.ts'
import { calloutHeads, continuedCallouts } from './callout-html.ts'
import { type CodeText, codeHtml, colorCode } from './code-html.ts'
import { colorAttributes } from './color-attributes.ts'
import { commentsHtml } from './comments-html.ts'
import { directionOf, isRightToLeft } from './direction.ts'
import { HeadingLevels } from './heading-levels.ts'
import { type InlineContentContext, inlineHtml, partHtml } from './inline-content-html.ts'
import { mediaHtml, pageCardHtml } from './media-html.ts'
import type { EditedBlock } from './suggested-text-blocks.ts'
import { tableHtml } from './table-html.ts'
import { commentHtml } from './tags-html.ts'
import { taskHtml } from './task-html.ts'
import { toneOf } from './tones.ts'

/** Kinds of lists, by their elements and classes. */
type ListKind = 'bullets' | 'numbers' | 'tasks' | 'toggles'

/** An open list or list item. A toggle is closed in two steps. */
interface OpenElement {
  level: number
  list?: ListKind
  end: Html
}

const LIST_KINDS = { bullet: 'bullets', numbered: 'numbers', task: 'tasks', toggle: 'toggles' } as const
/** Blocks per section. Browsers lay out a section when it comes near the window. */
const BLOCKS_PER_SECTION = 40

export class BlockWriter {
  readonly #context: BlockContext
  readonly #open: OpenElement[] = []
  readonly #headings = new HeadingLevels()
  #inSection = 0
  readonly #numbers = new ListNumbers()
  /** The block before the one that is rendered. */
  #before: JsonBlock | undefined

  constructor(context: BlockContext) {
    this.#context = context
  }

  /** Renders the next blocks. */
  async write(given: readonly JsonBlock[]): Promise<Html> {
    const blocks = given.map(withDepth)
    const contents = await this.#contents(blocks)
    return joinHtml(
      blocks.map((block) => {
        const written = this.#place(block, html`${calloutHeads(this.#before, block)}${contents(block)}`)
        this.#before = block
        return written
      }),
    )
  }

  /** Renders some of the next blocks as separate elements for the editing script. The others are only counted. */
  async writeSome(
    given: readonly JsonBlock[],
    isWanted: (block: JsonBlock) => boolean,
  ): Promise<{ id: string; html: Html }[]> {
    const blocks = given.map(withDepth)
    const contents = await this.#contents(blocks.filter(isWanted))
    return blocks.flatMap((block) => {
      const number = this.#numbers.next(countedBlock(block))
      const before = this.#before
      if (isWanted(block)) {
        const content = html`${calloutHeads(before, block)}${contents(block)}`
        const editable = this.#editableHtml(block, content, number)
        this.#before = block
        return { id: block.id, html: editable }
      }
      this.#before = block
      const { textStyle = '' } = block
      if (/^h\d$/.test(textStyle)) this.#headings.next(Number(textStyle.slice(1)))
      return []
    })
  }

  async #contents(blocks: readonly JsonBlock[]): Promise<(block: JsonBlock) => Html> {
    const codes = blocks.flatMap((block) => codeOf(block) ?? [])
    const colored = (await colorCode(codes)).values()
    const collections = new Map<JsonBlock, Html>()
    for (const block of blocks) {
      if (block.type === 'collection') collections.set(block, await this.#context.collection(block))
    }
    return (block) => {
      const code = codeOf(block)
      if (code !== undefined) return codeHtml(code, colored.next().value)
      return collections.get(block) ?? this.#content(block)
    }
  }

  /** Closes open elements. */
  end(): Html {
    const closed = this.#closeTo(() => true)
    return this.#inSection > 0 ? html`${closed}</div>` : closed
  }

  #closeTo(isClosed: (top: OpenElement) => boolean): Html {
    const ends: Html[] = []
    for (let top = this.#open.at(-1); top !== undefined && isClosed(top); top = this.#open.at(-1)) {
      ends.push(top.end)
      this.#open.pop()
    }
    return joinHtml(ends)
  }

  #place(block: JsonBlock, content: Html): Html {
    const number = this.#numbers.next(countedBlock(block))
    if (this.#context.isEditable) return html`${this.#nextSection()}${this.#editableHtml(block, content, number)}`
    const level = block.indentationLevel ?? 0
    const list = block.listStyle === undefined ? undefined : LIST_KINDS[block.listStyle]
    const closed = this.#closeTo(
      (top) => top.level > level || (top.level === level && (top.list === undefined || top.list !== list)),
    )
    const section = this.#open.length === 0 ? this.#nextSection() : NOTHING
    if (list === undefined) return html`${closed}${section}${this.#blockHtml(block, 'div', content)}`
    let opened = NOTHING
    if (this.#open.at(-1)?.list !== list || this.#open.at(-1)?.level !== level) {
      const tag = list === 'numbers' ? 'ol' : 'ul'
      // By the first item, as its marker stands beside the list.
      const direction = isRightToLeft(block.markdown) ? ' dir="rtl"' : ''
      opened = trusted(`<${tag} class="${list}"${direction}>`)
      this.#open.push({ level, list, end: trusted(`</${tag}>`) })
    }
    const item = this.#blockHtml(block, 'li', content, number)
    return html`${closed}${section}${opened}${item}`
  }

  /** Sections can only end outside of lists. */
  #nextSection(): Html {
    this.#inSection++
    if (this.#inSection === 1) return html`<div class="part">`
    if (this.#inSection % BLOCKS_PER_SECTION !== 0) return NOTHING
    return html`</div><div class="part">`
  }

  /** A block with its author and comments. A list item stays open for nested items. */
  #blockHtml(block: JsonBlock, tag: 'div' | 'li', content: Html, number?: ItemNumber): Html {
    const { id, listStyle } = block
    const about = this.#aboutHtml(block)
    // Digits even where lists are lettered, since the numbers of this list are as they were written.
    const own = number?.isOwn ? ' digits' : ''
    const value = own && ` value="${number?.count}"`
    const start = trusted(
      `<${tag} class="${this.#classes(block)}${own}" id="b${id.replace(/\W/g, '')}" dir="${directionOf(block)}"${colorAttributes(block.color)}${continuedCallouts(this.#before, block)}${value}>`,
    )
    if (tag === 'div')
      return html`${start}${content}${about}</div>
`
    const level = block.indentationLevel ?? 0
    if (listStyle === 'toggle') {
      this.#open.push({ level, end: trusted('</details></li>\n') })
      return html`${start}<details><summary>${content}</summary>${about}`
    }
    this.#open.push({ level, end: trusted('</li>\n') })
    return html`${start}<div class="line">${content}${about}</div>`
  }

  /** Adds the data for the editing script: the Markdown, and the fields that determine its prefix. */
  #editableHtml(block: JsonBlock, content: Html, item: ItemNumber | undefined): Html {
    const { id, markdown, listStyle, indentationLevel: level = 0 } = block
    const number = item && itemLabel(level, item)
    const list = listStyle === undefined ? '' : ` listed ${LIST_KINDS[listStyle]}`
    const text = listStyle === undefined ? content : html`<div class="line">${content}</div>`
    return html`<div class="${this.#classes(block)}${list}${level > 0 && ` level-${level}`}" id="b${id.replace(/\W/g, '')}" dir="${directionOf(block)}"${colorAttributes(block.color)}${continuedCallouts(this.#before, block)}${number !== undefined && html` data-number="${number}"`} data-markdown="${markdown}" data-fields="${JSON.stringify(prefixFields(block))}"${detailsAttribute(block)}>${text}${this.#aboutHtml(block)}</div>
`
  }

  #classes(block: JsonBlock): string {
    const { decorations, color, textAlignment, font, taskInfo, listStyle } = block
    const names = ['block']
    if (decorations?.callout) names.push('callout')
    names.push(...calloutClasses(this.#before, block))
    if (decorations?.quote) names.push('quote')
    if (color !== undefined) names.push(`tone-${toneOf(color)}`)
    if (textAlignment !== undefined) names.push(`align-${textAlignment}`)
    if (font !== undefined) names.push(`font-${font}`)
    if (listStyle === 'task') names.push(`task ${taskInfo?.state ?? 'todo'}`)
    if (this.#context.isFresh(block)) names.push('fresh')
    return `${names.join(' ')}${this.#context.suggestions?.look(block.id) ?? ''}`
  }

  #content(block: JsonBlock): Html {
    const { links, formulas } = this.#context
    const { type, listStyle, textStyle } = block
    switch (type) {
      case 'code':
        if (isCommentBlock(block)) return html`<p>${commentHtml(block.rawCode ?? '')}</p>`
        return html`<div class="formula">${formulas.html(block.rawCode ?? '', true)}</div>`
      case 'table':
        return tableHtml(textWithoutPrefix(block.markdown, block), this.#context)
      case 'line':
        return html`<hr class="${block.lineStyle ?? 'regular'}">`
      case 'page':
      case 'collectionItem':
        return pageCardHtml(block, titleText(block), links)
      case 'image':
      case 'video':
      case 'file':
      case 'drawing':
      case 'whiteboard':
      case 'richUrl':
        return mediaHtml(type, block, this.#context)
      case 'text':
      case 'collection':
        break
    }
    const markdown = textWithoutPrefix(block.markdown, block)
    if (textStyle === 'card' || textStyle === 'page') return pageCardHtml(block, plainTitle(markdown), links)
    const text = this.#text(block.id, markdown)
    if (listStyle === 'task') return taskHtml({ ...block, blockedBy: block.metadata?.blockedBy }, text, this.#context)
    if (textStyle === 'caption') return html`<p class="caption">${text}</p>`
    if (textStyle !== undefined) return this.#heading(Number(textStyle.slice(1)), text)
    return listStyle === undefined ? html`<p>${text}</p>` : html`<span class="item-text">${text}</span>`
  }

  /** The text of a block, with the words that others suggest. */
  #text(id: string, markdown: string): Html {
    const { suggestions } = this.#context
    const runs = suggestions?.runs(id, markdown)
    if (suggestions === undefined || runs === undefined) return inlineHtml(markdown, this.#context)
    return suggestions.wordsHtml(runs, (spans) => partHtml(spans, this.#context))
  }

  #heading(style: number, text: Html): Html {
    const tag = `h${this.#headings.next(style)}`
    return html`${trusted(`<${tag} class="h${style}">`)}${text}${trusted(`</${tag}>`)}`
  }

  /** What is suggested for the block, its author, and its comments. */
  #aboutHtml(block: JsonBlock): Html {
    const text = isDrawnText(block) ? textWithoutPrefix(block.markdown, block) : undefined
    const suggested = this.#context.suggestions?.below(block.id, text)
    return suggested === undefined ? this.#writerHtml(block) : html`${suggested}${this.#writerHtml(block)}`
  }

  #writerHtml(block: JsonBlock): Html {
    const { metadata } = block
    if (metadata === undefined) return NOTHING
    const { comments = [], linkedFrom = [], hasMoreLinks } = metadata
    const { formats, links, writerOf, forms, pictures } = this.#context
    // Not reachable by Tab, since there are keyboard shortcuts.
    const form = (href: string, label: string) => html` · <a href="${href}" data-panel tabindex="-1">${label}</a>`
    const offered = [
      forms?.comment !== undefined && form(forms.comment(block.id), text('Comment')),
      forms?.guestName !== undefined && html` · <a href="${forms.guestName}" tabindex="-1">Comment</a>`,
      // The form of a task sets its reminder, too.
      forms?.remind !== undefined && block.listStyle !== 'task' && form(forms.remind(block.id), text('Remind me')),
    ].filter((one) => one !== false)
    return html`<span class="who" dir="ltr">${pictureHtml(pictures?.get(metadata.lastModifiedBy ?? ''))}${writerOf(block)}, ${formats.time(metadata.lastModifiedAt)}${
      offered.length > 0 && html`<span class="forms">${offered}</span>`
    }</span>${
      comments.length > 0 && commentsHtml(block.id, comments, this.#context)
    }${linkedFrom.length > 0 && linkedFromHtml(linkedFrom, hasMoreLinks === true, links)}`
  }
}

/** True if the words of a block are drawn where it stands, with those that others suggest. */
const isDrawnText = ({ type, textStyle }: JsonBlock): boolean =>
  type === 'text' && textStyle !== 'card' && textStyle !== 'page'

/** The fields that determine the Markdown prefix of a block, and the words after the fence of code. */
function prefixFields(block: JsonBlock): object {
  const { type, indentationLevel, listStyle, number, decorations, textStyle, taskInfo, language, info } = block
  const state = taskInfo && { state: taskInfo.state }
  return { type, indentationLevel, listStyle, number, decorations, textStyle, taskInfo: state, language, info }
}

/** What a copy of the block has as well: its look, and the dates of a task. */
function detailsAttribute(block: JsonBlock): Html {
  const details = detailsOf(block)
  return details === undefined ? NOTHING : html` data-details="${JSON.stringify(details)}"`
}

function detailsOf(block: JsonBlock): object | undefined {
  const { color, textAlignment, font, lineStyle, url, size, width, taskInfo } = block
  const { scheduleDate, deadlineDate, repeat } = taskInfo ?? {}
  const dates = definedOf({ scheduleDate, deadlineDate, repeat })
  // With a size, the type of a link does not follow from its Markdown.
  const media = definedOf({ size, width }) && { url, size, width }
  return definedOf({ color, textAlignment, font, lineStyle, taskInfo: dates, ...media })
}

/** @param isNew  true for a block that is to be added again as it is, with all that is beside its Markdown */
export function editedBlock(given: JsonBlock, isNew: boolean): EditedBlock {
  const block = withDepth(given)
  const details = isNew ? detailsOf(block) : undefined
  const fields = { ...prefixFields(block), ...(details !== undefined && { details }) }
  return { id: block.id, fields, markdown: block.markdown }
}

/** @returns undefined if nothing is defined */
function definedOf(values: object): object | undefined {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined)
  return defined.length === 0 ? undefined : Object.fromEntries(defined)
}

/** The code of a block, if it needs highlighting. */
function codeOf(block: JsonBlock): CodeText | undefined {
  const { type, language = 'plaintext', info, rawCode = '' } = block
  if (type !== 'code' || language === 'math_formula' || isCommentBlock(block)) return undefined
  return { code: rawCode, language: fenceLabel({ language, ...(info !== undefined && { info }) }) }
}

/** The title of a page or item as plain text. */
export const titleText = ({ title, markdown }: JsonBlock): string =>
  title === undefined ? markdown : typeof title === 'string' ? title : title.value

/** The inline Markdown of a block, or the title of a page or item. */
export const textOfBlock = (block: JsonBlock): string => textWithoutPrefix(titleText(block), withDepth(block)).trim()

/** The title of a page or item, with its marks as ranges. */
export const titleOf = (block: JsonBlock): Title =>
  typeof block.title === 'object' ? block.title : { value: titleText(block), attributes: [] }

/** Renders the title of a page or item with its marks. */
export function titleHtml(block: JsonBlock, context: InlineContentContext): Html {
  const title = titleOf(block)
  const isPlain = title.attributes.length === 0 && !title.value.includes('<')
  return isPlain ? html`${title.value}` : inlineHtml(writeTitle(title), context)
}

/** The documents with blocks that link here, without duplicates. */
export function linkedFromHtml(
  linkedFrom: readonly { blockId: string; documentId?: string; title: string }[],
  hasMore: boolean,
  links: PageLinks,
): Html {
  const unique = [...new Map(linkedFrom.map((one) => [one.documentId ?? one.blockId, one])).values()]
  return html`<p class="linked" dir="ltr">Linked from ${unique.map(
    ({ blockId, title }, index) => html`${index > 0 && ', '}<a href="${links.block(blockId)}">${title}</a>`,
  )}${hasMore && html` and more`}</p>`
}
