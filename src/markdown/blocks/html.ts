const HIDDEN = /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[|\]\]>|<![A-Za-z][^>]*>/g
const SOURCE = /<(script|style|textarea)\b[^>]*>/i

/** A piece of foreign HTML: words, a heading, or code. */
export type HtmlPiece =
  | { kind: 'words' | 'h1' | 'h2' | 'h3' | 'h4' | 'bullet'; text: string }
  | { kind: 'code' | 'line'; text: string }

/** What people see of a block of HTML, as pieces of inline Markdown. Comments are seen by no one. */
export function htmlPieces(html: string): HtmlPiece[] {
  if (SOURCE.test(html)) return [{ kind: 'code', text: html.trimEnd() }]
  const pieces: HtmlPiece[] = []
  const words = html.replace(HIDDEN, '')
  let kind: HtmlPiece['kind'] = 'words'
  let text = ''
  const flush = () => {
    const shown = text.replace(/[ \t]*\n\s*/g, '\n').trim()
    if (shown !== '') pieces.push({ kind, text: shown })
    text = ''
    kind = 'words'
  }
  let at = 0
  for (const match of words.matchAll(TAG)) {
    text += words.slice(at, match.index)
    at = match.index + match[0].length
    const [all, slash, rawName = '', attributes = ''] = match
    const name = rawName.toLowerCase()
    if (name === 'br') text += '\n'
    else if (name === 'img') text += image(attributes)
    else if (name === 'hr') {
      flush()
      pieces.push({ kind: 'line', text: '' })
    } else if (name === 'td' || name === 'th') text += slash === '' ? ' ' : ''
    else if (INLINE.has(name)) text += all
    else {
      flush()
      if (slash === '') kind = KINDS[name] ?? 'words'
    }
  }
  text += words.slice(at)
  flush()
  return pieces
}

const TAG = /<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g
const INLINE: ReadonlySet<string> = new Set([
  ...[
    'a',
    'abbr',
    'b',
    'bdi',
    'bdo',
    'cite',
    'code',
    'data',
    'del',
    'dfn',
    'em',
    'font',
    'highlight',
    'comment',
    'i',
    'ins',
  ],
  ...['kbd', 'mark', 'q', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var'],
])
const KINDS: Record<string, HtmlPiece['kind']> = {
  h1: 'h1',
  h2: 'h2',
  h3: 'h3',
  h4: 'h4',
  h5: 'h4',
  h6: 'h4',
  li: 'bullet',
}

function image(attributes: string): string {
  const value = (name: string) =>
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
      .exec(attributes)
      ?.slice(1)
      .find(Boolean)
  const src = value('src')
  const alt = (value('alt') ?? '').replace(/[[\]]/g, '\\$&')
  return src === undefined ? alt : `![${alt}](<${src.replace(/[<>\n]/g, encodeURIComponent)}>)`
}
