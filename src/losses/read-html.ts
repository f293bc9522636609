/** What readers see of HTML that stands in Markdown. */
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { BLOCK_TAG_NAMES } from '../markdown/blocks/block-tag-names.ts'
import { type VisibleItem, visibleWords } from './visible-item.ts'

/** Elements whose text browsers do not show. */
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'head', 'en-crypt'])
/** Elements that Markdown has no marks for: they keep their meaning only as tags. */
const TAGS: ReadonlySet<string> = new Set(['br', 'sub', 'sup', 'kbd', 'u', 'mark', 'details', 'summary'])
/** The attribute with the address, and what that is, by element. */
const ADDRESSES: ReadonlyMap<string, { attribute: string; kind: 'link' | 'image' }> = new Map([
  ['a', { attribute: 'href', kind: 'link' }],
  ['img', { attribute: 'src', kind: 'image' }],
  ['iframe', { attribute: 'src', kind: 'link' }],
  ['video', { attribute: 'src', kind: 'link' }],
  ['audio', { attribute: 'src', kind: 'link' }],
  ['source', { attribute: 'src', kind: 'link' }],
  ['embed', { attribute: 'src', kind: 'link' }],
])

/** Our own tags, which are read as blocks and marks. */
const OURS: ReadonlySet<string> = new Set(
  [...BLOCK_TAG_NAMES, 'highlight', 'comment'].map((name) => name.toLowerCase()),
)
/** Elements of a block of HTML for which a block or a mark stands, and those around text that show nothing themselves. */
const STOOD_FOR: ReadonlySet<string> = new Set([
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'ul',
    'ol',
    'li',
    'hr',
    'pre',
    'textarea',
    'b',
    'strong',
    'i',
    'em',
    's',
    'del',
    'strike',
  ],
  ...['code', 'tt', 'samp', 'p', 'div', 'section', 'article', 'main', 'header', 'footer', 'nav', 'picture'],
  // One line for a table is enough.
  ...['thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'colgroup', 'col', 'dt', 'dd'],
])
/** Shown by elements that show nothing else. */
const LOOKS = ['align', 'style']

type Node = DefaultTreeAdapterTypes.ChildNode

/**
 * Where HTML stands of which each tag must be kept, or have something that stands for it: in a line, where it would be
 * shown as it is written, or as a block.
 */
export type HtmlPlace = 'line' | 'block'

/**
 * @param html  a whole block of HTML, or one tag or comment of a line
 * @param place  if absent, only tags count that are kept as they are
 */
export function readHtml(html: string, line: number, place?: HtmlPlace): VisibleItem[] {
  const items: VisibleItem[] = []
  const open: Node[] = parseFragment(html, { sourceCodeLocationInfo: true }).childNodes.toReversed()
  // Without recursion, since elements can be nested as deep as a text is long.
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const at = line + (node.sourceCodeLocation?.startLine ?? 1) - 1
    if ('value' in node) items.push(...visibleWords(node.value, at))
    else if ('data' in node) items.push(...readComment(node, html, at))
    else if ('tagName' in node) {
      const isSeen = !UNSEEN.has(node.tagName)
      if (isSeen || place !== undefined) items.push(...readElement(node, at, place))
      if (isSeen) open.push(...node.childNodes.toReversed())
    }
  }
  return items
}

/** Processing instructions and the like are comments for browsers, but words for those who wrote them. */
function* readComment(
  { data, sourceCodeLocation }: DefaultTreeAdapterTypes.CommentNode,
  html: string,
  line: number,
): Generator<VisibleItem> {
  const isComment = html.startsWith('<!--', sourceCodeLocation?.startOffset)
  if (!isComment) yield* visibleWords(data, line)
  else if (data.trim() !== '') yield { kind: 'comment', value: data.trim(), line }
}

function* readElement(
  element: DefaultTreeAdapterTypes.Element,
  line: number,
  htmlPlace?: HtmlPlace,
): Generator<VisibleItem> {
  const { tagName } = element
  const attribute = (name: string) => element.attrs.find((each) => each.name === name)?.value
  if (tagName === 'callout') yield* visibleWords(`${attribute('icon') ?? ''} ${attribute('title') ?? ''}`, line)
  if (TAGS.has(tagName)) yield { kind: 'tag', value: tagName, line }
  const place = ADDRESSES.get(tagName)
  const address = place && attribute(place.attribute)
  if (place && address) yield { kind: place.kind, value: address, line }
  else if (htmlPlace !== undefined && !TAGS.has(tagName) && !OURS.has(tagName)) {
    const style = attributesOf(element, LOOKS)
    const isStoodFor = htmlPlace === 'block' && STOOD_FOR.has(tagName)
    if (!isStoodFor || style !== '') yield { kind: 'tag', value: `${tagName}${style}`, line }
  }
  if (tagName === 'img') yield* visibleWords(attribute('alt') ?? '', line)
}

const attributesOf = ({ attrs }: DefaultTreeAdapterTypes.Element, names: readonly string[]): string =>
  attrs.flatMap(({ name }) => (names.includes(name) ? ` ${name}` : '')).join('')
