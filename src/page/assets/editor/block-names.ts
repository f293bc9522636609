/** What a block is, and what Enter does with it, in words for screen readers. */
import type { Node } from 'prosemirror-model'
import type { Fields } from '../model/block-text.ts'
import { fieldsOfNode, isEditedHere } from '../model/page-block.ts'
import { text } from '../page-text.ts'

const TYPES: Readonly<Record<Fields['type'], string>> = {
  ...{
    text: text('Text'),
    code: text('Code'),
    table: text('Table'),
    page: text('Page'),
    line: text('Line'),
    whiteboard: text('Whiteboard'),
  },
  ...{
    collection: text('Collection'),
    collectionItem: text('Item'),
    image: text('Picture'),
    video: text('Video'),
    file: text('File'),
  },
  ...{ drawing: text('Drawing'), richUrl: text('Link') },
}
const LISTS = { task: text('Task'), bullet: text('Bullet'), numbered: text('Number'), toggle: text('Toggle') } as const
const STYLES: ReadonlyMap<string, string> = new Map(
  Object.entries({ caption: text('Caption'), card: text('Card'), page: text('Page') }),
)
const OPENED: ReadonlySet<Fields['type']> = new Set(['page', 'whiteboard', 'collection', 'collectionItem'])
/** Characters of the text of a block that are spoken. */
const SPOKEN_LENGTH = 80

function kindOf({ type, language, listStyle, textStyle, decorations, taskInfo }: Fields): string {
  if (type === 'code' && language === 'math_formula') return text('Formula')
  if (listStyle === 'task' && taskInfo?.state === 'done') return text('Done task')
  if (listStyle !== undefined) return LISTS[listStyle]
  if (textStyle !== undefined && /^h\d$/.test(textStyle)) return text('Heading {level}', { level: textStyle.slice(1) })
  return (
    STYLES.get(textStyle ?? '') ??
    (decorations?.quote ? text('Quote') : decorations?.callout ? text('Callout') : TYPES[type])
  )
}

/** Such as `Heading 2: Next steps. Enter edits it.` */
export function blockInWords(node: Node): string {
  const fields = fieldsOfNode(node)
  const content = (node.isAtom ? String(node.attrs.markdown) : node.textBetween(0, node.content.size, ' ', ' ')).trim()
  const shortened = content.length > SPOKEN_LENGTH ? `${content.slice(0, SPOKEN_LENGTH)}…` : content
  const isOpened = OPENED.has(fields.type) || fields.textStyle === 'card' || fields.textStyle === 'page'
  const enter = isOpened ? text(' Enter opens it.') : isEditedHere(fields) ? text(' Enter edits it.') : ''
  return `${kindOf(fields)}${shortened === '' || fields.type === 'line' ? '' : `: ${shortened}`}.${enter}`
}
