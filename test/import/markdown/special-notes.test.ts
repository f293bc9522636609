/** Canvases, drawings and Bases of a vault. */
import lzString from 'lz-string'
import { describe, expect, test } from 'vitest'
import { reportLines } from '../../../src/import/import-report.ts'
import { imported, problemLines } from '../importing.ts'

const VAULT = { '.obsidian/app.json': '{}' }

const drawing = (text: string) =>
  JSON.stringify({
    type: 'excalidraw',
    elements: [
      { id: 'a', type: 'rectangle', x: 0, y: 0, width: 10, height: 20 },
      { id: 'b', type: 'text', x: 0, y: 0, width: 10, height: 20, text },
      { id: 'c', type: 'rectangle', x: 0, y: 0, width: 10, height: 20, isDeleted: true },
    ],
    files: {},
  })

/** The drawing in the document with a title. */
async function drawnIn(run: Awaited<ReturnType<typeof imported>>, title: string) {
  const board = ((await run.blocks(title)) as { id: string; type: string }[]).find(({ type }) => type === 'whiteboard')
  const { elements } = await run.call('elements_list', { whiteboardBlockId: board?.id })
  return elements as Record<string, unknown>[]
}

describe('a canvas', () => {
  const canvas = JSON.stringify({
    nodes: [
      { id: 't', type: 'text', x: 0, y: 0, width: 200, height: 80, text: 'Words', color: '4' },
      { id: 'f', type: 'file', x: 300, y: 0, width: 200, height: 80, file: 'box/Note.md', subpath: '#Top' },
      { id: 'l', type: 'link', x: 0, y: 200, width: 200, height: 80, url: 'https://example.org' },
      { id: 'g', type: 'group', x: -50, y: -50, width: 600, height: 200, label: 'Both' },
    ],
    edges: [
      { id: 'e', fromNode: 't', toNode: 'f', label: 'leads to' },
      { id: 'gone', fromNode: 't', toNode: 'nothing' },
    ],
  })

  test('is imported as a whiteboard with its nodes, groups and arrows, whose links lead to notes', async () => {
    const run = await imported({
      ...VAULT,
      'Map.canvas': canvas,
      'box/Note.md': '# Top\n',
      'Home.md': '![[Map.canvas]]\n',
    })
    const elements = await drawnIn(run, 'Map')
    const shapes = elements.filter(({ type }) => type === 'rectangle' || type === 'arrow')
    expect(shapes.map(({ id, link }) => [id, link ?? null])).toEqual([
      ['g', null],
      ['t', null],
      ['f', `block://${await run.idOf('Note')}`],
      ['l', 'https://example.org'],
      ['e', null],
    ])
    expect(elements.filter(({ type }) => type === 'text').map(({ text }) => text)).toEqual([
      ...['Both', 'Words', 'box/Note.md', 'https://example.org', 'leads to'],
    ])
    expect(elements.find(({ id }) => id === 't')).toMatchObject({ strokeColor: '#08b94e', width: 200 })
    expect(await run.read('Home')).toBe(`[Map.canvas](block://${await run.idOf('Map')})`)
  })

  test('that is empty is an empty whiteboard, and an invalid one is reported', async () => {
    const run = await imported({ ...VAULT, 'Empty.canvas': '', 'Broken.canvas': '{' })
    expect(await run.blocks('Empty')).toMatchObject([{ type: 'whiteboard' }])
    expect(problemLines(run.report)).toEqual([expect.stringMatching(/^Broken\.canvas failed: /)])
  })
})

describe('an Excalidraw drawing', () => {
  test('that no note shows is a document, and a shown one is a whiteboard there', async () => {
    const run = await imported({
      ...VAULT,
      'Alone.excalidraw': drawing('one'),
      'In.excalidraw': drawing('two'),
      'Home.md': 'Here:\n\n![[In.excalidraw]]\n',
    })
    expect((await drawnIn(run, 'Alone')).map(({ id }) => id)).toEqual(['a', 'b'])
    expect((await drawnIn(run, 'Home'))[1]).toMatchObject({ text: 'two' })
    expect((await run.call('documents_list')).items).toHaveLength(2)
  })

  test.each([
    ['as it is', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    [
      'packed',
      (json: string) =>
        `\`\`\`compressed-json\n${lzString.compressToBase64(json).replace(/(.{40})/g, '$1\n\n')}\n\`\`\``,
    ],
  ])('in a note of the plugin, %s', async (_, block) => {
    const note = `---\nexcalidraw-plugin: parsed\n---\n\n# Text Elements\none ^b\n\n%%\n# Drawing\n${block(drawing('one'))}\n%%\n`
    const run = await imported({ ...VAULT, 'Sketch.excalidraw.md': note, 'Home.md': '![[Sketch.excalidraw]]\n' })
    expect((await drawnIn(run, 'Sketch')).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(await run.read('Home')).toContain(`block://${await run.idOf('Sketch')}`)
  })
})

test('Bases and queries are kept as code', async () => {
  const run = await imported({
    ...VAULT,
    'Books.base': 'views:\n  - type: table\n',
    'Note.md': '```dataview\nLIST FROM #a\n```\n\n![[Books.base]]\n',
  })
  expect(await run.read('Books')).toBe('```yaml\nviews:\n  - type: table\n```')
  expect(problemLines(run.report)).toEqual([
    'Books.base changed: A Base is kept as code; use a view of a collection in its place.',
    'Note.md:1 changed: A Dataview query is kept as code; use a view of a collection in its place.',
    'Note.md:5 changed: An embedded Base became a link to it.',
  ])
})

test('the report says which fields they show', async () => {
  const base =
    'properties:\n  note.year:\n    displayName: Year\nformulas:\n  age: now()\nviews:\n  - type: table\n    order:\n      - file.name\n      - note.year\n'
  const { report } = await imported({
    ...VAULT,
    'Books.base': base,
    'Note.md': [
      `\`\`\`base\n${base}\`\`\``,
      '> ```dataview\n> TABLE WITHOUT ID file.link AS "Book, or so", choice(a, "x, y", b), year\n> FROM #book\n> ```',
      '```dataview\nLIST\n```',
      '```base\nviews: [\n```',
    ].join('\n\n'),
  })
  expect(reportLines(report).slice(3)).toEqual([
    'Changed: A Base is kept as code; use a view of a collection in its place. (3)',
    '  Books.base (year, file.name, formula.age)',
    '  Note.md:1 (year, file.name, formula.age)',
    '  Note.md:23',
    '',
    'Changed: A Dataview query is kept as code; use a view of a collection in its place. (2)',
    '  Note.md:14 (file.link, choice(a, "x, y", b), year)',
    '  Note.md:19',
  ])
})

test('an embedded view of a Base becomes a link to it, and is not reported as a lost heading', async () => {
  const run = await imported({ 'A.md': '![[Films.base#Seen]]\n', 'Films.base': 'views: []\n' })
  expect(problemLines(run.report)).toEqual([
    'A.md:1 changed: An embedded Base became a link to it.',
    'Films.base changed: A Base is kept as code; use a view of a collection in its place.',
  ])
  expect(await run.read('A')).toMatch(/^\[Films.base > Seen\]\(block:/)
})
