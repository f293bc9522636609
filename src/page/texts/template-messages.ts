/**
 * Finds the texts in an HTML template, so that they can be translated as sentences and not word by word:
 *
 *     <p class="about">You comment as <b>${author}</b>. <a href="${href}">Change</a></p>
 *                      ^-------------------------------------------------------^
 *     You comment as <b>{0}</b>. <a>Change</a>
 *
 * A message ends where a block begins or ends. Elements within a line belong to it if words stand beside them. Values
 * are numbered, and attributes of elements left out.
 */

/** A piece of HTML, or the index of a value of the template. */
export type Piece = string | number

export interface TemplateMessage {
  /** The English text: the key in the catalogs. */
  key: string
  /** The values of the template by their number in the message. */
  values: readonly number[]
  /** The HTML of its elements by their placeholders, such as `<b>` and `</b>`. */
  elements: ReadonlyMap<string, readonly Part[]>
  /** True within the quotes of an attribute. */
  isAttribute: boolean
}
export type Part = Piece | TemplateMessage

/** Attributes that are shown or spoken. */
const TEXT_ATTRIBUTES =
  /(\s(?:aria-(?:description|label|roledescription|valuetext)|alt|label|placeholder|title)=")([^"]*)"/g
const INLINE = new Set(
  'a abbr b bdi cite code del em i ins kbd mark q s small span strong sub sup time u var'.split(' '),
)
/** What is written in these is the same in each language. */
const VERBATIM = new Set(['code', 'kbd', 'script', 'style'])

const VALUE = '\0'
const TAG = /<!--[\s\S]*?-->|<[!/]?[a-z\0](?:"[^"]*"|'[^']*'|[^>"'])*(?:>|$)/gi
/** A template of attributes, within a tag of another one: ` class="broad"`, ` open`. */
const WITHIN_TAG =
  /^[\s\0]+(?:[\w:-]+=["'\0]|(?:data-[\w-]+|autofocus|checked|disabled|hidden|inert|multiple|novalidate|open|readonly|required|selected)(?=[\s>\0]|$))/
const UP_TO_TAG_END = /^(?:"[^"]*"|'[^']*'|[^>"'])*>?/

type Item = { text: string } | { tag: string; name: string; isEnd: boolean } | Element
interface Element {
  open: string
  close: string
  name: string
  items: Item[]
}

export const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(/&#?\w+;/g, ' '))

/** The parts of a template: its messages, and the HTML and the values between them. */
export function templateParts(strings: readonly string[]): Part[] {
  const reader = new Reader()
  return reader.read(strings.join(VALUE))
}

class Reader {
  #values = 0

  read(template: string): Part[] {
    const inTag = WITHIN_TAG.test(template) ? (UP_TO_TAG_END.exec(template)?.[0] ?? '') : ''
    return [...this.#tag(inTag), ...this.#parts(nested(itemsOf(template.slice(inTag.length))))]
  }

  #parts(items: readonly Item[], isVerbatim = false): Part[] {
    const parts: Part[] = []
    let run: Item[] = []
    const endRun = () => {
      parts.push(...this.#run(run, isVerbatim))
      run = []
    }
    for (const item of items) {
      if (!('tag' in item)) run.push(item)
      else {
        endRun()
        parts.push(...this.#tag(item.tag))
      }
    }
    endRun()
    return parts
  }

  /** What is in one line. It is a message if words stand outside of its elements. */
  #run(items: readonly Item[], isVerbatim: boolean): Part[] {
    if (!isVerbatim && items.some((item) => 'text' in item && hasWords(item.text))) return this.#message(items)
    return items.flatMap((item) => {
      if ('text' in item) return this.#pieces(item.text)
      if ('tag' in item) return this.#tag(item.tag)
      const open = this.#tag(item.open)
      return [...open, ...this.#parts(item.items, isVerbatim || VERBATIM.has(item.name)), item.close]
    })
  }

  #message(items: readonly Item[]): Part[] {
    const values: number[] = []
    const elements = new Map<string, readonly Part[]>()
    const names = new Map<string, number>()
    const keyOf = (item: Item): string => {
      if ('text' in item) {
        return item.text.replaceAll(VALUE, () => `{${values.push(this.#values++) - 1}}`)
      }
      if ('tag' in item) throw new Error(`Expected a message without other tags, found ${item.tag}.`)
      const count = (names.get(item.name) ?? 0) + 1
      names.set(item.name, count)
      const name = `${item.name}${count === 1 ? '' : count}`
      elements.set(`<${name}>`, this.#tag(item.open))
      elements.set(`</${name}>`, [item.close])
      return `<${name}>${item.items.map(keyOf).join('')}</${name}>`
    }
    return surrounded(items.map(keyOf).join(''), (key) => ({ key, values, elements, isAttribute: false }))
  }

  /** A tag, with messages in its attributes. */
  #tag(tag: string): Part[] {
    const parts: Part[] = []
    let end = 0
    for (const found of tag.matchAll(TEXT_ATTRIBUTES)) {
      const [whole, before = '', text = ''] = found
      if (!hasWords(text)) continue
      parts.push(...this.#pieces(tag.slice(end, found.index) + before))
      const values: number[] = []
      const key = text.replaceAll(VALUE, () => `{${values.push(this.#values++) - 1}}`)
      parts.push(...surrounded(key, (key) => ({ key, values, elements: new Map(), isAttribute: true })), '"')
      end = found.index + whole.length
    }
    return [...parts, ...this.#pieces(tag.slice(end))]
  }

  #pieces(text: string): Part[] {
    return text.split(VALUE).flatMap((piece, index) => (index === 0 ? [piece] : [this.#values++, piece]))
  }
}

/** A message without the white space around it. */
function surrounded(text: string, message: (key: string) => TemplateMessage): Part[] {
  const [, before = '', within = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  return [before, message(within.replace(/\s+/g, ' ')), after]
}

function itemsOf(template: string): Item[] {
  const items: Item[] = []
  let end = 0
  for (const found of template.matchAll(TAG)) {
    const [tag] = found
    if (found.index > end) items.push({ text: template.slice(end, found.index) })
    const [, slash, name = ''] = /^<([!/]?)([\w\0-]*)/.exec(tag) ?? []
    items.push({ tag, name: name.toLowerCase(), isEnd: slash === '/' })
    end = found.index + tag.length
  }
  if (end < template.length) items.push({ text: template.slice(end) })
  return items
}

/** Puts elements of a line that end within it into one item each. */
function nested(items: readonly Item[]): Item[] {
  const open: { item: Item; name: string; items: Item[] }[] = []
  let level: Item[] = []
  const leave = () => {
    const outer = open.pop()
    if (outer === undefined) return
    level = [...outer.items, outer.item, ...level]
  }
  for (const item of items) {
    if (!('tag' in item)) level.push(item)
    else if (!INLINE.has(item.name)) {
      while (open.length > 0) leave()
      level.push(item)
    } else if (!item.isEnd) {
      open.push({ item, name: item.name, items: level })
      level = []
    } else {
      const begun = open.at(-1)
      if (begun?.name === item.name && 'tag' in begun.item) {
        open.pop()
        level = [...begun.items, { open: begun.item.tag, close: item.tag, name: item.name, items: level }]
      } else level.push(item)
    }
  }
  while (open.length > 0) leave()
  return level
}
