/** Nine levels of a list are nine levels everywhere. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { exportOf, importOf } from '../export/vault-exports.ts'
import { imported } from '../import/importing.ts'
import { program } from './sample-space.ts'
import { servePages, visitAsOperator, visitByLink } from './visiting.ts'

const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const LIST = LEVELS.map((level) => `${'  '.repeat(level)}- item ${level}`).join('\n')

const levelsOf = (blocks: { indentationLevel?: number; depth?: number }[]): number[] =>
  blocks.map(({ indentationLevel = 0, depth = indentationLevel }) => depth)

test('in JSON, in Markdown, in a vault, and after its import', async () => {
  const connected = await connect()
  const id = await documentOf(connected, LIST, 'List')
  expect(levelsOf(await contentOf(connected, id))).toEqual(LEVELS)
  expect(await connected.call('blocks_get', { id, format: 'markdown' })).toContain(`\n${LIST}\n`)
  const { path, read } = await exportOf(connected)
  expect(depths(read('List.md'))).toEqual(LEVELS)
  const back = await importOf(path)
  const [{ id: there }] = (await back.call('documents_list')).items
  expect(levelsOf(await contentOf(back, there))).toEqual(LEVELS)
})

test.each(['  ', '    ', '\t'])('after an import of Markdown indented by %j', async (unit) => {
  const list = LEVELS.map((level) => `${unit.repeat(level)}- item ${level}`).join('\n')
  const { blocks } = await imported({ 'List.md': list })
  expect(levelsOf((await blocks('List')) as object[])).toEqual(LEVELS)
})

test('on pages, whether they can be edited or only read', async () => {
  const serving = await servePages()
  const call = program(serving.space, 'tester')
  const { id } = (await call('documents_add', { documents: [{ title: 'List', markdown: LIST }] })).items[0]
  const reader = await visitByLink(serving, { kind: 'full', access: 'read' })
  const read = (await reader.get(`/d/${id}`)).text
  let level = -1
  const nested = Array.from(read.matchAll(/<ul\b|<\/ul>|item (\d)/g), ([found, item]) => {
    if (item === undefined) level += found === '</ul>' ? -1 : 1
    return item === undefined ? [] : [[Number(item), level]]
  }).flat()
  const start = nested[0]?.[1] ?? 0
  expect(nested.map(([item, at = 0]) => [item, at - start])).toEqual(LEVELS.map((one) => [one, one]))
  const editor = await visitAsOperator(serving)
  const fields = (await editor.get(`/d/${id}`)).text.matchAll(/data-fields="([^"]*)"/g)
  const shown = Array.from(fields, ([, json = '']) => JSON.parse(json.replaceAll('&quot;', '"')))
  expect(levelsOf(shown.filter(({ listStyle }) => listStyle === 'bullet'))).toEqual(LEVELS)
})

/** The levels of the items of an exported list. */
const depths = (text: string): number[] => {
  const columns = Array.from(text.matchAll(/^([ \t]*)- item \d$/gm), ([, spaces = '']) => spaces.length)
  return columns.map((column) => new Set(columns.filter((one) => one < column)).size)
}
