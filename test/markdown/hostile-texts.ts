/**
 * Texts on which other parsers take minutes, or overflow the stack. Each row is repeated, or generates the given
 * length.
 */
const ROWS: Readonly<Record<string, string | ((size: number) => string)>> = {
  'nested bullets on a line': (size) => `${'- '.repeat(size / 2)}a`,
  'nested numbers on a line': (size) => `${'1. '.repeat(size / 3)}a`,
  'nested quotes on a line': (size) => `${'>'.repeat(size)}a`,
  'quotes and bullets on a line': (size) => `${'> - '.repeat(size / 4)}a`,
  'spaces between marks': (size) => `${'-   '.repeat(size / 4)}a`,
  'underlines that are bullets': 'a\n-\n',
  'bullets line by line': '- a\n',
  'empty quotes': '>\n',
  'quotes that go on without a mark': '> a\nb\n',
  'ever deeper bullets': (size) =>
    Array.from({ length: Math.sqrt(size / 2) * 1.4 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n'),
  'ever deeper paragraphs': (size) =>
    Array.from({ length: Math.sqrt(size / 2) * 1.4 }, (_, level) => `${'  '.repeat(level)}a\n`).join('\n'),
  'ever deeper quotes': (size) =>
    Array.from({ length: Math.sqrt(size) * 1.4 }, (_, level) => `${'>'.repeat(level)}a`).join('\n'),
  'open pages': '<page>\n',
  'open pages on a line': '<page>',
  'open pages that others close': (size) => '<page>'.repeat(size / 12) + '</card>'.repeat(size / 14),
  'pages on a line': '<page><pageTitle>a</pageTitle></page>',
  'nested pages': (size) => '<page>'.repeat(size / 13) + '</page>'.repeat(size / 13),
  'callouts on a line': '<callout>a</callout>',
  'callouts line by line': '<callout>a</callout>\n',
  'callouts with words between': '<callout>a</callout> b\n',
  'tags that begin': '<page ',
  'marks before a tag': (size) => `${'- '.repeat(size / 2)}<page>`,
  'quotes before a tag': (size) => `${'>'.repeat(size)}<page>`,
  'words before tags': (size) => `<callout>a${' <page>'.repeat(size / 7)}`,
  'dollars of every length': (size) =>
    `<page>${Array.from({ length: Math.sqrt(size) }, (_, length) => '$'.repeat(length)).join(' ')}`,
  'cells before a tag': (size) => `| a ${'| `a '.repeat(size / 5)}<page>`,
  'backticks of every length': (size) =>
    `<page>${Array.from({ length: Math.sqrt(size) }, (_, length) => '`'.repeat(length)).join(' ')}`,
  'tables of one line': 'a|b\n-|-\n',
  'a long cell': (size) => `| ${'a'.repeat(size)} |\n| - |`,
  'a wide table': (size) => `${'a|'.repeat(size / 4)}\n${'-|'.repeat(size / 4)}`,
  'a table of many short rows': (size) => `a|b|c|d\n-|-|-|-\n${'|\n'.repeat(size / 2)}`,
  'rules without a table': '|-|\n',
  'open fences': '```\n',
  'fences of another kind': '```a\n~~~\n',
  'fences with ever more marks': (size) =>
    Array.from({ length: Math.sqrt(size) }, (_, length) => '`'.repeat(length + 3)).join('\n'),
  'open formulas': '$$a\n',
  'open formulas and words that end one wrongly': (size) => `${'$$a\n'.repeat(size / 4)}b $$ c $$`,
  'open formulas in quotes': '> $$a\n\n',
  definitions: '[a]: b\n',
  'open definitions': '[a\n',
  'definitions with open titles': '[a]: b "\n',
  'paragraph of one line': 'word ',
  'lines of one paragraph': 'a\n',
  'blank lines': '\n',
  tabs: '\t',
  'comments that are open': '<!-- ',
  'declarations that are open': '<!a ',
  'elements that are open': '<p ',
  'elements line by line': '<p>\n',
  'elements in each other': '<b>',
  'preformatted text that is open': '<pre>',
  'links on a line': '[a](b)',
  'brackets that are open': '[',
  'pictures in each other': '![',
  'numbers without a dot': '1',
  'rules with a letter at the end': (size) => `${'*'.repeat(size)}a`,
  'line after line that levels may skip': '<!-- -->\n\n          a\n\n',
}

/** Each of the texts with this number of characters, with its name. */
export function* hostileTexts(size: number): Generator<{ name: string; text: string }> {
  for (const [name, row] of Object.entries(ROWS)) {
    yield { name, text: typeof row === 'string' ? row.repeat(size / row.length) : row(size) }
  }
}
