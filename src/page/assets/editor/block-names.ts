/** What a block is, and what Enter does with it, in words for screen readers. */
import type { Node } from 'prosemirror-model'
import type { Fields } from '../model/block-text.ts'
import { fieldsOfNode, isEditedHere } from '../model/page-block.ts'

const TYPES: Readonly<Record<Fields['type'], string>> = {
  ...{ text: 'Text', code: 'Code', table: 'Table', page: 'Page', line: 'Line', whiteboard: 'Whiteboard' },
  ...{ collection: 'Collection', collectionItem: 'Item', image: 'Picture', video: 'Video', file: 'File' },
  ...{ drawing: 'Drawing', richUrl: 'Link' },
}
const LISTS = { task: 'Task', bullet: 'Bullet', numbered: 'Number', toggle: 'Toggle' } as const
const STYLES: ReadonlyMap<string, string> = new Map(Object.entries({ caption: 'Caption', card: 'Card', page: 'Page' }))
const OPENED: ReadonlySet<Fields['type']> = new Set(['page', 'whiteboard', 'collection', 'collectionItem'])
/** Characters of the text of a block that are spoken. */
const SPOKEN_LENGTH = 80

function kindOf({ type, language, listStyle, textStyle, decorations, taskInfo }: Fields): string {
  if (type === 'code' && language === 'math_formula') return 'Formula'
  if (listStyle === 'task' && taskInfo?.state === 'done') return 'Done task'
  if (listStyle !== undefined) return LISTS[listStyle]
  if (textStyle !== undefined && /^h\d$/.test(textStyle)) return `Heading ${textStyle.slice(1)}`
  return STYLES.get(textStyle ?? '') ?? (decorations?.quote ? 'Quote' : decorations?.callout ? 'Callout' : TYPES[type])
}

/** Such as `Heading 2: Next steps. Enter edits it.` */
export function blockInWords(node: Node): string {
  const fields = fieldsOfNode(node)
  const text = (node.isAtom ? String(node.attrs.markdown) : node.textBetween(0, node.content.size, ' ', ' ')).trim()
  const shortened = text.length > SPOKEN_LENGTH ? `${text.slice(0, SPOKEN_LENGTH)}…` : text
  const isOpened = OPENED.has(fields.type) || fields.textStyle === 'card' || fields.textStyle === 'page'
  const enter = isOpened ? ' Enter opens it.' : isEditedHere(fields) ? ' Enter edits it.' : ''
  return `${kindOf(fields)}${shortened === '' || fields.type === 'line' ? '' : `: ${shortened}`}.${enter}`
}
