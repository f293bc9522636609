/** Converts an outline (OPML) to nested list items. */
import { SaxesParser } from 'saxes'
import { IMPORT_DOCUMENT_BLOCKS } from '../../base/limits.ts'
import { isUnsafeAddress } from '../../markdown/addresses.ts'
import { type Block, LIST_LEVELS, type TaskInfo } from '../../markdown/block.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'
import { writeInline } from '../../markdown/inline/write-inline.ts'
import { convertPage, type PageContext } from '../html/html-page.ts'
import { linesText } from '../text/plain-text.ts'

/** Deeper elements are no outline of a person. */
const MOST_LEVELS = 1_000

type Attributes = ReadonlyMap<string, string>

/** @throws Error for XML that is not valid, is nested too deeply, or is no outline */
export function readOpml(text: string, context: PageContext): { title: string; blocks: Block[] } {
  const reader = new OpmlReader(context)
  const parser = new SaxesParser()
  let failure: Error | undefined
  parser.on('error', (error) => {
    failure ??= error
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (failure === undefined) reader.open(name, new Map(Object.entries(attributes)))
  })
  parser.on('text', (text) => reader.text(text))
  parser.on('closetag', ({ name }) => reader.close(name))
  // Outlines of the web often have no XML declaration, and a byte order mark is no part of the text.
  parser.write(text).close()
  if (failure !== undefined) throw failure
  if (!reader.isOutline) throw new Error('Expected an outline (OPML), found other XML.')
  return { title: reader.title.replace(/\s+/g, ' ').trim(), blocks: reader.blocks }
}

class OpmlReader {
  readonly blocks: Block[] = []
  title = ''
  isOutline = false
  readonly #context: PageContext
  #depth = 0
  #levels = 0
  #isTitle = false

  constructor(context: PageContext) {
    this.#context = context
  }

  open(name: string, attributes: Attributes): void {
    if (++this.#levels > MOST_LEVELS)
      throw new Error(`Expected at most ${MOST_LEVELS} levels of an outline, found more.`)
    if (name === 'opml') this.isOutline = true
    if (name === 'title') this.#isTitle = true
    if (name !== 'outline') return
    this.#outline(attributes)
    this.#depth++
  }

  text(text: string): void {
    if (this.#isTitle) this.title = (this.title + text).slice(0, 10_000)
  }

  close(name: string): void {
    this.#levels--
    if (name === 'title') this.#isTitle = false
    if (name === 'outline') this.#depth--
  }

  #outline(attributes: Attributes): void {
    if (this.blocks.length > IMPORT_DOCUMENT_BLOCKS) throw new Error('Expected a shorter outline; split it.')
    const { report } = this.#context
    if (this.#depth >= LIST_LEVELS) report(`An item below level ${LIST_LEVELS} of the outline is one of that level.`)
    const level = Math.min(this.#depth, LIST_LEVELS - 1)
    const state = stateOf(attributes)
    const item: Block = {
      ...{
        type: 'text',
        text: this.#safeText(attributes.get('text') ?? attributes.get('title') ?? ''),
        listStyle: 'bullet',
      },
      ...(state !== undefined && { listStyle: 'task', taskInfo: { state } }),
      ...(level > 0 && { indentationLevel: level }),
    }
    const address = [...ADDRESSES].map((name) => attributes.get(name) ?? '').find((value) => value !== '')
    if (address !== undefined && !isUnsafeAddress(address)) item.text = linked(item.text, address)
    this.blocks.push(item)
    const note = attributes.get('_note') ?? ''
    if (note.trim() !== '') this.blocks.push({ type: 'text', text: this.#safeText(note), indentationLevel: level + 1 })
    for (const name of attributes.keys()) {
      if (!KNOWN.has(name)) report('An attribute of an item is left out.', name.slice(0, 100))
    }
  }

  /** Some outliners write marks as HTML. */
  #safeText(text: string): string {
    if (MARKS.test(text)) {
      const [first, ...others] = convertPage(text, this.#context).blocks
      if (first?.type === 'text' && others.length === 0) return first.text
    }
    return linesText(text.split(/\r?\n/))
  }
}

const MARKS = /<\/(?:a|b|i|u|s|em|strong|code|mark|span)>/i
const ADDRESSES = ['url', 'htmlUrl', 'xmlUrl'] as const
/** Attributes that are shown, or say nothing that a document has. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['text', 'title', 'type', '_note', ...ADDRESSES, '_status', '_complete', 'complete', 'completed', 'checked'],
  ...['checkbox', 'created', 'version', 'language', 'isComment', 'isBreakpoint', 'expanded', 'collapsed'],
])

function linked(text: string, url: string): string {
  if (text.includes('](')) return text
  const spans = text === '' ? [{ kind: 'text', text: url, marks: 0 } as const] : readInline(text)
  return writeInline([{ kind: 'link', url, title: '', spans, marks: 0 }])
}

/** The state of an item that can be done, as OmniOutliner, WorkFlowy, Dynalist and Checkvist write it. */
function stateOf(attributes: Attributes): TaskInfo['state'] | undefined {
  const [status, complete] = [attributes.get('_status'), COMPLETE.map((name) => attributes.get(name)).find(Boolean)]
  if (status === 'checked' || complete === 'true') return 'done'
  const isOpen = status === 'unchecked' || status === 'indeterminate' || attributes.get('checkbox') === 'true'
  return isOpen ? 'todo' : undefined
}

const COMPLETE = ['_complete', 'complete', 'completed', 'checked'] as const
