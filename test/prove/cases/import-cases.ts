/** Cases of the import: files of a folder, and what their export or the report must say. */

export interface ImportCase {
  name: string
  files: Readonly<Record<string, string | Uint8Array>>
  /** Of the exported texts without their front matter. */
  has?: readonly RegExp[]
  lacks?: readonly RegExp[]
  /** Of the lines of problems: `path:kind:message`. */
  reportHas?: readonly RegExp[]
}

const one = (text: string | Uint8Array) => ({ 'a.md': text })

export const IMPORT_CASES: readonly ImportCase[] = [
  {
    name: 'import: frames',
    files: one(
      'before\n\n<iframe src="https://v.example/embed/abc" title="A talk"></iframe>\n\n- item\n- <iframe src="https://v.example/embed/def"></iframe>\n',
    ),
    has: [/embed\/abc/, /embed\/def/],
  },
  {
    name: 'import: other encodings',
    files: {
      'latin1.md': Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65]),
      'wide.md': Uint8Array.from([0xfe, 0xff, 0, 0x47, 0, 0x72, 0, 0xfc]),
    },
    lacks: [/\ufffd/],
    reportHas: [/latin1/],
  },
  {
    name: 'import: formulas',
    files: one('Text\n\n$$\na^2 + b^2\n$$\n\n> $$x$$\n'),
    has: [/\$\$\s*\n?a\^2/],
    lacks: [/math_formula/],
  },
  {
    name: 'import: words after a fence',
    files: one('```c\nint x;\n```\n\n```toml\na = 1\n```\n\n```js {1,3} title="x.js"\nlet a\n```\n'),
    has: [/^```c$/m, /^```toml$/m, /title="x\.js"/],
    lacks: [/^```other/m],
  },
  {
    name: 'import: done tasks without a date',
    files: one('- [x] finished ago\n- [-] dropped\n- [x] dated ✅ 2024-03-01\n'),
    has: [/✅ 2024-03-01/],
    lacks: [/ago ✅/, /dropped ❌/],
  },
  {
    name: 'import: callouts side by side',
    files: one('> [!note] First\n> one\n\n> [!note] Second\n> two\n'),
    has: [/\[!note\][\s\S]*\[!note\]/],
  },
  {
    name: 'import: callouts in each other',
    files: one('> [!question] Outer\n> text\n>\n> > [!success]- Inner\n> > hidden\n>\n> after\n'),
    has: [/> \[!question\] Outer\n> text\n>\n> > \[!success\]- Inner\n> > hidden\n>\n> after/],
  },
  {
    name: 'import: the title of a callout',
    files: one('> [!tip]- Title here\n> body\n'),
    has: [/> \[!tip\]- Title here/],
  },
  { name: 'import: yellow words', files: one('some ==marked== words\n'), has: [/==marked==/] },
  {
    name: 'import: an empty item after a heading',
    files: { 'a.md': '# Title\n- \n', 'b.md': 'see [[a#Title]]\n' },
    has: [/^# Title/m],
    lacks: [/block:\/\//, /^````?\n# Title/m],
  },
  {
    name: 'import: tags of a line',
    files: one('line<br>break, H<sub>2</sub>O, <kbd>Ctrl</kbd>\n\n| a |\n| - |\n| one<br>two |\n'),
    lacks: [/\\<br/, /\\<sub/, /\\<kbd/],
  },
  {
    name: 'import: comments',
    files: one('Intro\n\n<!-- TODO: ask legal -->\n\nRest\n'),
    has: [/<!-- TODO: ask legal -->/],
  },
  { name: 'import: a list that begins at 7', files: one('on:\n\n7. seven\n8. eight\n'), has: [/^7\. seven/m] },
  {
    name: 'import: a list of nine levels',
    files: one(Array.from({ length: 9 }, (_, level) => `${'  '.repeat(level)}- level ${level}\n`).join('')),
    has: [/^ {16}- level 8/m],
  },
  {
    name: 'import: pages of other formats in a folder',
    files: {
      'readme.md': 'hello\n',
      'notes.txt': 'Plain words\n',
      'old.html': '<h1>Old</h1><p>Words of the old page.</p>',
      'page.mdx': '# Page\n\nWords of the page.\n',
    },
    has: [/Words of the page/, /Words of the old page/, /Plain words/],
  },
  {
    name: 'import: front matter in TOML',
    files: one('+++\ntitle = "Post"\n+++\n\nBody\n'),
    has: [/Body/],
    lacks: [/^\+\+\+$/m],
  },
  {
    name: 'import: a graph of Logseq',
    files: {
      'logseq/config.edn': '{}\n',
      'journals/2026_11_20.md': '- see [[Proj/Sub]] ((634fae2e-edab-42e0-8385-59df3fc3da0e))\n',
      'pages/Proj___Sub.md': 'type:: x\n\n- TODO write\n  id:: 634fae2e-edab-42e0-8385-59df3fc3da0e\n',
    },
    has: [/- \[ \] write/],
    lacks: [/\(\(634/],
  },
  {
    name: 'import: raw notes of Joplin',
    files: {
      '0123456789abcdef0123456789abcdef.md':
        'My note\n\nBody\n\nid: 0123456789abcdef0123456789abcdef\nparent_id: 11112222333344445555666677778888\ntype_: 1',
      '11112222333344445555666677778888.md': 'Notebook\n\nid: 11112222333344445555666677778888\nparent_id: \ntype_: 2',
    },
    has: [/Body/],
    lacks: [/parent_id:/],
  },
  {
    name: 'import: front matter that is no YAML',
    files: one('---\ntitle: a: b\n---\n\nBody\n'),
    has: [/Body/],
    reportHas: [/kept as they stand/],
  },
]
