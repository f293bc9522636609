/** What readers see of HTML that stands in Markdown. */
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
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

type Node = DefaultTreeAdapterTypes.ChildNode

/** @param html  a whole block of HTML, or one tag or comment of a line */
export function readHtml(html: string, line: number): VisibleItem[] {
  const items: VisibleItem[] = []
  const open: Node[] = parseFragment(html, { sourceCodeLocationInfo: true }).childNodes.toReversed()
  // Without recursion, since elements can be nested as deep as a text is long.
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const at = line + (node.sourceCodeLocation?.startLine ?? 1) - 1
    if ('value' in node) items.push(...visibleWords(node.value, at))
    else if ('data' in node) items.push(...readComment(node, html, at))
    else if ('tagName' in node && !UNSEEN.has(node.tagName)) {
      items.push(...readElement(node, at))
      open.push(...node.childNodes.toReversed())
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

function* readElement(element: DefaultTreeAdapterTypes.Element, line: number): Generator<VisibleItem> {
  const { tagName } = element
  const attribute = (name: string) => element.attrs.find((each) => each.name === name)?.value
  if (tagName === 'callout') yield* visibleWords(`${attribute('icon') ?? ''} ${attribute('title') ?? ''}`, line)
  if (TAGS.has(tagName)) yield { kind: 'tag', value: tagName, line }
  const place = ADDRESSES.get(tagName)
  const address = place && attribute(place.attribute)
  if (place && address) yield { kind: place.kind, value: address, line }
  if (tagName === 'img') yield* visibleWords(attribute('alt') ?? '', line)
}
