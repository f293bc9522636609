/** Markdown as people write it: documents of parts of every kind, with words of many scripts. */
import fc from 'fast-check'

const word = fc.constantFrom(
  ...['milk', 'Straße', 'naïve', 'документ', '漢字', '한국어', 'العربية', 'שלום', 'ไทย', 'e\u0301te', 'x1', '2026'],
  ...['24', '3', '😀', 'don’t', 'A', 'snake_case', '5*6', 'R&D', '“quoted”', 'C#', '100%', '(so)', 'end.'],
)
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((parts) => `so ${parts.join(' ')}`)
const name = fc.constantFrom('one', 'two words', 'Größe', '漢字', 'x9')
const address = fc.constantFrom('https://a.example/b?c=1&d=2', '/path/to', 'note.md', 'https://a.example/%C3%A4')

/** Marks, links and the like, each with spaces around it. */
const span = fc.oneof(
  { weight: 6, arbitrary: words },
  name.map((text) => `**${text}**`),
  name.map((text) => `*${text}*`),
  name.map((text) => `_${text}_`),
  name.map((text) => `~~${text}~~`),
  name.map((text) => `\`${text} <b> *x*\``),
  fc.tuple(name, address).map(([text, url]) => `[${text}](${url})`),
  name.map((text) => `[**${text}**](https://a.example "title")`),
  fc.constantFrom('<https://a.example/x>', 'https://b.example/c', 'www.c.example', 'a@b.example', '#tag', '$x_1^2$'),
  fc.constantFrom('&amp;', '&copy;', '\\*', '\\_a\\_', '\\#', 'a  \nb', 'a\\\nb', '[ ]', '[^1]', '[[page]]', '1) x'),
)
const line = fc.tuple(words, fc.array(span, { maxLength: 4 })).map(([first, rest]) => [first, ...rest].join(' '))
const oneLine = line.map((text) => text.replace(/\s*\\?\n/g, ' '))
const list = (mark: (index: number) => string, prefix = '') =>
  fc
    .array(oneLine, { minLength: 1, maxLength: 4 })
    .map((lines) => lines.map((text, index) => `${prefix}${mark(index)}${text}`).join('\n'))
const table = (beyond: number) =>
  fc.integer({ min: 1, max: 3 }).chain((columns) =>
    fc
      .array(fc.array(words, { minLength: columns, maxLength: columns }), { minLength: 2, maxLength: 4 })
      .map((rows) => {
        const [head, ...body] = rows.map((cells, index) => (index > 0 ? [...cells, ...cells.slice(0, beyond)] : cells))
        const lineOf = (cells: readonly string[] = []) => `| ${cells.join(' | ')} |`
        return [lineOf(head), lineOf(Array.from({ length: columns }, () => '---')), ...body.map(lineOf)].join('\n')
      }),
  )
const code = fc.constantFrom('let a = 1\n  b', '# no heading\n\n- no list', '24. x', '<b>', '$x$')
const fence = (info: fc.Arbitrary<string>) =>
  fc.tuple(info, code).map(([after, text]) => `\`\`\`${after}\n${text}\n\`\`\``)

/** The parts of documents by name. */
export const PARTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  paragraph: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
  heading: fc.tuple(fc.integer({ min: 1, max: 6 }), oneLine).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
  'underlined heading': oneLine.map((text) => `${text}\n===`),
  bullets: list(() => '- '),
  'nested bullets': fc
    .tuple(
      list(() => '- '),
      list(() => '* ', '  '),
      list(() => '- ', '    '),
    )
    .map((all) => all.join('\n')),
  'numbers from 1': list((index) => `${index + 1}. `),
  'the number 1 on each line': list(() => '1. '),
  'numbers around bullets': fc
    .tuple(
      oneLine,
      list(() => '- ', '   '),
      oneLine,
    )
    .map(([a, b, c]) => `1. ${a}\n${b}\n2. ${c}`),
  'numbers with paragraphs': fc.tuple(oneLine, oneLine, oneLine).map(([a, b, c]) => `1. ${a}\n\n   ${b}\n\n2. ${c}`),
  tasks: list((index) => (index % 2 === 0 ? '- [ ] ' : '- [x] ')),
  'callout with a title': fc
    .tuple(
      name,
      line,
      list(() => '- '),
    )
    .map(([title, text, items]) => `<callout title="${title}" icon="tip">\n\n${text}\n\n${items}\n\n</callout>`),
  quote: fc.array(oneLine, { minLength: 1, maxLength: 3 }).map((lines) => lines.map((text) => `> ${text}`).join('\n')),
  'list in a quote': list(() => '> - '),
  code: fence(fc.constantFrom('', 'python', 'json', 'rust')),
  'code in a list': code.map((text) => `- item\n\n  \`\`\`\n${text.replace(/^(?=.)/gm, '  ')}\n  \`\`\``),
  table: table(0),
  line: fc.constant('---'),
  'reference link': fc.tuple(name, address).map(([text, url]) => `see [${text}][ref] so\n\n[ref]: ${url}`),
  footnote: words.map((text) => `note[^n] so\n\n[^n]: ${text}`),
  formula: fc.constantFrom('$$\na_1 + b\n$$', '$$x^2$$'),
  image: fc.tuple(name, fc.constantFrom('a.png', 'https://a.example/b.jpg')).map(([alt, url]) => `![${alt}](${url})`),
  'paragraph with an image': fc.tuple(words, name, words).map(([a, alt, b]) => `${a} ![${alt}](c.png) ${b}`),
  'block of HTML': words.map((text) => `<div>\n<p>${text.replace(/[&<]/g, 'n')}</p>\n</div>`),
  'numbers from another': fc
    .tuple(fc.integer({ min: 2, max: 2_100 }), fc.array(oneLine, { minLength: 1, maxLength: 3 }))
    .map(([first, lines]) => lines.map((text, index) => `${first + index}. ${text}`).join('\n')),
  'number in a bullet': fc.tuple(fc.integer({ min: 2, max: 31 }), oneLine).map(([day, text]) => `- ${day}. ${text}`),
  'words after a fence': fence(fc.constantFrom('toml', 'c', 'js {1,3} title="x"', 'go-html-template', 'diff')),
  'cells beyond the header': table(1),
  'break in a cell': words.map((text) => `| a |\n| --- |\n| ${text}<br>so |`),
  'tags in a line': words.map((text) => `${text} H<sub>2</sub>O and <kbd>Ctrl</kbd>`),
  comment: words.map((text) => `<!-- ${text} -->`),
  frame: name.map(() => '<iframe src="https://v.example/1"></iframe>'),
  'indented code': code.map((text) => `words\n\n${text.replace(/^(?=.)/gm, '    ')}`),
}

/** Documents of these parts. */
export const documentsOf = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(...names.map((each) => PARTS[each] as fc.Arbitrary<string>)), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.reduce((text, part) => `${text}${isSameList(text, part) ? '\n\n# so' : ''}\n\n${part}`))

/**
 * True if the second part would continue a list of the first. CommonMark counts on whatever number it begins with; here,
 * a number that was written is kept.
 */
const isSameList = (text: string, part: string): boolean => /^\d/.test(part) && /^\d+\. /m.test(text)
