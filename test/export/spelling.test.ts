/** An export gives back the text that a document was imported from, as far as nobody changed it. */
import { expect, test } from 'vitest'
import { forgetHistory } from '../../src/space/forget-history.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { sourceTextPlaces } from '../../storage/source-texts.ts'
import { type Files, imported, markdownFormat } from '../import/importing.ts'
import { filesOf } from './memory-target.ts'

const ODD = `---
title:   "Odd"   # as it was
aliases: [Strange]
---

Setext heading
==============

* one _word_, __two__ and ~~no~~
* two
\t* three with [[Other|a link]]
+ toggle

1) first
1) second

| a   |  b |
|:----|---:|
| x   |  1 |
| y_z |  2 |


Hard
wrapped _lines_
of text.  
After a break, H<sub>2</sub>O ==marked== and $x^2$<br>next.

> [!note]- Folded
> Words.
>
> - [ ] a task 📅 2026-12-01

$$
e = mc^2
$$

~~~js title="x"
code()
~~~
***
[words][ref] and ![[pic.png]] ^named

[ref]: Other.md "Title"
`
const FILES: Files = {
  'Sub/Odd.md': ODD,
  'Other.md': 'Back to [[Odd#^named]] and [[Odd#Setext heading]].\n',
  'Sub/pic.png': 'PNG',
}

const bytes = (files: Files) => new Map(Object.entries(files))

/** The lines of a text that are not in another one. */
const linesOnlyIn = (text = '', other = ''): string[] => {
  const others = other.split('\n')
  return text.split('\n').filter((line) => !others.includes(line))
}

test('unchanged notes and files are written byte for byte, at their paths', async () => {
  const { space } = await imported(FILES)
  expect(await filesOf(space)).toEqual(bytes(FILES))
})

test.each([
  ['with CRLF and a byte order mark', '\uFEFF# A\r\n\r\n* b\r\n\r\n\r\n* c'],
  ['that is empty', ''],
  ['with nothing but properties', '---\na: 1\n---\n'],
  ['with properties that are no YAML', '---\na: [\n---\nWords\n'],
  ['with TOML', '+++\ntitle = "A"\n+++\nWords\n'],
  ['without an end of line', 'Words'],
  ['with blank lines around', '\n\n\nWords\n\n\n'],
  ['with a comment', 'Words %%aside%%\n\n%%\nAlone\n%%\n'],
  ['with a done task without a date', '- [x] done\n- [X] too\n'],
  ['with HTML', '<div align="center">\n<b>Words</b>\n</div>\n\n<!-- note -->\n'],
  ['that is refused, so that it is code', '* [a](javascript:run)\n'],
  ['with headings of six levels', '###### six ######\n##### five\n'],
])('a note %s, too', async (_, text) => {
  const { space } = await imported({ 'A.md': text })
  expect((await filesOf(space)).get('A.md')).toBe(text)
})

test('a note of a folder that is no vault, too', async () => {
  const files = { 'a-file.md': '---\ntitle: A name\n---\n100%% and [[x]] and ^id\n', 'b.markdown': '[a](a-file.md)\n' }
  const { space } = await imported(files, markdownFormat)
  expect(await filesOf(space)).toEqual(bytes(files))
})

test('a Base that became a document is a Base again, until it is changed', async () => {
  const files = { 'Views/All.base': 'views:\n  - type: table\n', 'A.md': '![[All.base]]\n' }
  const { space, call, idOf } = await imported(files)
  expect(await filesOf(space)).toEqual(bytes(files))
  expect([...(await filesOf(space, { hasIds: true })).keys()].sort()).toEqual(['A.md', 'Views/All.md'])
  await call('blocks_add', { markdown: 'More', position: { position: 'end', pageId: await idOf('All') } })
  expect([...(await filesOf(space)).keys()].sort()).toEqual(['A.md', 'Views/All.md'])
})

test('with IDs, only our own fields are added', async () => {
  const { space } = await imported(FILES)
  const written = await filesOf(space, { hasIds: true })
  const without = (text = '') => text.replace(/scriptorium:\n(?: {2}.*\n)+/, '').replace(/^---\n---\n/, '')
  expect(new Map([...written].map(([path, text]) => [path, without(text)]))).toEqual(bytes(FILES))
  expect(written.get('Other.md')).toMatch(/^---\nscriptorium:\n {2}id: \d{12}\n/)
})

test.each([
  ['a word of an item', 'one *word*', 'one *thing*', ['* one *thing*, **two** and ~~no~~']],
  ['an item with a link', 'three with', 'four with', ['\t* four with [[Other|a link]]']],
  ['a cell', '| y_z | 2 |', '| y_z | 3 |', ['| y_z | 3 |']],
  ['a line of a paragraph', 'of text.', 'of words.', ['of words.\\']],
  ['a heading', 'Setext heading', 'Other heading', ['# Other heading']],
  ['a line of a callout', 'Words.', 'Sentences.', ['> Sentences.']],
  ['a line of code', 'code()', 'call()', ['call()']],
  ['the properties', 'as it was', 'as it is', ['title:   "Odd"   # as it is']],
])('a change of %s changes its line alone', async (_, old, fresh, lines) => {
  const { space, call, idOf } = await imported(FILES)
  const id = await idOf('Odd')
  const { content } = await call('blocks_get', { id })
  const block = content.find((one: { markdown?: string }) => one.markdown?.includes(old))
  await call('blocks_update', { blocks: [{ id: block.id, markdown: block.markdown.replace(old, fresh) }] })
  const text = (await filesOf(space)).get('Sub/Odd.md')
  expect(linesOnlyIn(text, ODD)).toEqual(lines)
  expect(linesOnlyIn(ODD, text).length).toBeLessThanOrEqual(2)
})

test('what is added has the marks of its list, and what is deleted is gone', async () => {
  const { space, call, idOf } = await imported({ 'A.md': '* a\n* b\n\n\nWords\n' })
  const { content } = await call('blocks_get', { id: await idOf('A') })
  const [a, b] = content
  await call('blocks_add', { markdown: '- new', position: { position: 'after', siblingId: a.id } })
  expect((await filesOf(space)).get('A.md')).toBe('* a\n* new\n* b\n\n\nWords\n')
  await call('blocks_delete', { blockIds: [b.id] })
  expect((await filesOf(space)).get('A.md')).toBe('* a\n* new\n\n\nWords\n')
})

test('links follow a document that was renamed, and other lines stay', async () => {
  const { space, call, idOf } = await imported({ 'A.md': '* to [[B]]\n* __bold__\n', 'B.md': 'Words\n' })
  await call('blocks_update', { blocks: [{ id: await idOf('B'), markdown: 'Renamed' }] })
  const files = await filesOf(space)
  expect(files.get('A.md')).toBe('* to [[Renamed|B]]\n* __bold__\n')
  expect([...files.keys()]).toEqual(['A.md', 'Renamed.md'])
})

test('a link to what is in the trash is not written as it was', async () => {
  const { space, call, idOf } = await imported({ 'A.md': 'to [[B]]\n', 'B.md': 'Words\n' })
  await call('documents_delete', { documentIds: [await idOf('B')] })
  expect((await filesOf(space)).get('A.md')).toMatch(/^to \[B\]\(block:\/\/\d+\)\n$/)
})

test('a block to which something links gets a name, and others keep theirs', async () => {
  const files = { 'A.md': '__One__ ^one\n\n__Two__\n', 'B.md': '[[A#^one]]\n' }
  const { space, call, idOf } = await imported(files)
  const { content } = await call('blocks_get', { id: await idOf('A') })
  expect(await filesOf(space)).toEqual(bytes(files))
  const position = { position: 'end', pageId: await idOf('B') }
  await call('blocks_add', { markdown: `[two](block://${content[1].id})`, position })
  const written = await filesOf(space)
  expect(written.get('A.md')).toBe(`__One__ ^one\n\n**Two** ^${content[1].id}\n`)
  expect(written.get('B.md')).toBe(`[[A#^one]]\n\n[[A#^${content[1].id}|two]]\n`)
})

test('links are written as asked', async () => {
  const { space, call, idOf } = await imported({ 'A.md': '# Plan\n', 'B.md': 'Words\n' })
  const { content } = await call('blocks_get', { id: await idOf('A') })
  const markdown = `To [A](block://${await idOf('A')}) and [its plan](block://${content[0].id}).`
  await call('blocks_add', { markdown, position: { position: 'end', pageId: await idOf('B') } })
  const linkOf = async (links?: 'relative' | 'wiki') =>
    (await filesOf(space, { links })).get('B.md')?.split('\n').at(-2)
  expect(await linkOf()).toBe('To [A](A.md) and [its plan](A.md#Plan).')
  expect(await linkOf('wiki')).toBe('To [[A]] and [[A#Plan|its plan]].')
})

test('what Markdown has by itself leaves as it is, from a document that was written here, too', async () => {
  const { space, call } = await imported({ 'A.md': 'Words\n' })
  const markdown = [
    'H<sub>2</sub>O and ==marked==<br>next, $x$',
    '$$\ne = mc^2\n$$',
    '<callout title="Plan" icon="tip" folded="true">\nWords.\n</callout>',
  ].join('\n\n')
  await call('documents_add', { documents: [{ title: 'B', markdown }] })
  expect((await filesOf(space)).get('B.md')).toBe(
    'H<sub>2</sub>O and ==marked==<br>next, $x$\n\n$$\ne = mc^2\n$$\n\n> [!tip]- Plan\n> Words.\n',
  )
})

test('words that were deleted do not come back, whatever else stays', async () => {
  const { space, call, idOf } = await imported({ 'A.md': '* keep _this_\n* secret one\n\n[unused]: secret two\n' })
  const { content } = await call('blocks_get', { id: await idOf('A') })
  await call('blocks_update', { blocks: [{ id: content[1].id, markdown: '- public' }] })
  const text = (await filesOf(space)).get('A.md')
  expect(text).toContain('* keep _this_\n* public')
  expect(text).not.toContain('secret one')
})

const kept = async ({ space }: Pick<Awaited<ReturnType<typeof imported>>, 'space'>) =>
  (await space.read(OPERATOR_LINK, ({ tx }) => sourceTextPlaces(tx, 0, 100))).map(({ path }) => path)

test('the text goes when the history of a changed document is forgotten', async () => {
  const connected = await imported({ 'A.md': '* a\n', 'B.md': '* b\n' })
  const { space, call, idOf } = connected
  const { content } = await call('blocks_get', { id: await idOf('A') })
  await call('blocks_update', { blocks: [{ id: content[0].id, markdown: '- changed' }] })
  expect(await kept(connected)).toEqual(['A.md', 'B.md'])
  await forgetHistory(space, { documentId: new GivenId(await idOf('A')) }, async () => {})
  expect(await kept(connected)).toEqual(['B.md'])
  const again = await imported({ 'A.md': '* a\n', 'B.md': '* b\n' })
  const page = await again.call('blocks_get', { id: await again.idOf('B') })
  await again.call('blocks_update', { blocks: [{ id: page.content[0].id, markdown: '- changed' }] })
  await forgetHistory(again.space, { before: Number.MAX_SAFE_INTEGER }, async () => {})
  expect(await kept(again)).toEqual(['A.md'])
})

test('a link that does not reach the whole space sees nothing of it', async () => {
  const { space, idOf } = await imported({ 'A.md': '* see [[Secret]] and `code`\n', 'Secret.md': 'Words\n' })
  const id = await idOf('A')
  const n = await space.read(OPERATOR_LINK, async (view) => {
    await view.resolveIds([new GivenId(id)])
    return (await view.getDocument(new GivenId(id))).n
  })
  const link = { ...OPERATOR_LINK, kind: 'selected' as const, documents: new Set([n]) }
  const files = await filesOf(space, { link, documents: [id] })
  expect(files.get('A.md')).toBe('- see [Secret](invalid:out_of_scope) and `code`\n')
})
