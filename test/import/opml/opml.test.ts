/** Outlines. */
import { expect, test } from 'vitest'
import { opmlFormat } from '../../../src/import/markdown/page-formats.ts'
import { LIST_LEVELS } from '../../../src/markdown/block.ts'
import { imported, problemLines, sourceOf } from '../importing.ts'

const opml = (body: string, title = 'Outline') =>
  `<?xml version="1.0"?><opml version="2.0"><head><title>${title}</title></head><body>${body}</body></opml>`

test('an outline is nested list items with notes, links and tasks', async () => {
  const body =
    '<outline text="One *star*" _note="A note&#10;of two lines"><outline text="two" _status="checked"><outline text="three" type="link" url="https://x.example/"/></outline><outline text="open" checkbox="true"/></outline><outline text="&lt;b&gt;bold&lt;/b&gt; &lt;a href=&quot;https://y.example&quot;&gt;y&lt;/a&gt;" _complete="true" odd="x"/><outline text="Feed" type="rss" xmlUrl="https://z.example/feed" htmlUrl="https://z.example/"/>'
  expect(await opmlFormat.detects(sourceOf({ 'a.opml': '' }))).toBe('it has outlines and no Markdown')
  const { read, report, again } = await imported({ 'a.opml': opml(body) }, opmlFormat)
  expect(await read('Outline')).toBe(
    '- One \\*star*\n\n  A note\\\n  of two lines\n\n  - [x] two\n    - [three](https://x.example/)\n  - [ ] open\n- [x] **bold** [y](https://y.example)\n- [Feed](https://z.example/)',
  )
  expect(problemLines(report)).toEqual(['a.opml changed: An attribute of an item is left out.'])
  expect((await again({ 'a.opml': opml(body) })).counts).toMatchObject({ unchanged: 1 })
})

test('an outline deeper than lists, and XML that is none, are reported', async () => {
  const deep = `${'<outline text="x">'.repeat(LIST_LEVELS + 2)}${'</outline>'.repeat(LIST_LEVELS + 2)}`
  const files = {
    'deep.opml': opml(deep, 'Deep'),
    'no.opml': '<a/>',
    'bad.opml': '<opml><outline',
    'evil.opml': `<!DOCTYPE x [<!ENTITY a "b">]>${opml('<outline text="&a;"/>')}`,
    'abyss.opml': '<a>'.repeat(1_001),
  }
  const { report, blocks } = await imported(files, opmlFormat)
  expect(await blocks('Deep')).toHaveLength(LIST_LEVELS + 2)
  expect(problemLines(report).map((line) => line.slice(0, 90))).toEqual([
    expect.stringMatching(/^abyss\.opml changed: It is kept as a file, since it could not be read: /),
    expect.stringMatching(/^bad\.opml changed: It is kept as a file, since it could not be read: /),
    `deep.opml changed: An item below level ${LIST_LEVELS} of the outline is one of that level.`,
    expect.stringMatching(/^evil\.opml changed: It is kept as a file, since it could not be read: /),
    expect.stringMatching(/^no\.opml changed: It is kept as a file, since it could not be read: /),
  ])
})
