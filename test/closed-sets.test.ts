/** Each closed set is listed once, and code that needs an entry for each member fails to compile without one. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SCOPES } from '../src/auth/resource-server/scopes.ts'
import { BLOCK_TYPES, HIGHLIGHT_COLORS, LIST_STYLES, TASK_STATES, TEXT_STYLES } from '../src/markdown/block.ts'
import { OPTION_COLORS } from '../src/space/collections/schema/schema-input.ts'
import { FILTER_TYPES } from '../src/space/collections/views/view.ts'
import { WEEKDAYS } from '../src/space/model/weekdays.ts'
import { FREQUENCIES } from '../src/space/schedule/repeats.ts'
import { TASK_SCOPES } from '../src/space/tasks/task-list.ts'
import { ACCESS_LEVELS, CONNECTION_KINDS, LOCATIONS, PROPERTY_TYPES, VIEW_TYPES } from '../storage/schema.ts'

const root = join(import.meta.dirname, '..')
const files = ['src', 'tools', 'storage']
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`, { cwd: root }))
  .filter((file) => !file.includes('/migrations/'))
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

/** Each set, and the only file that lists its members. */
const SETS: Readonly<Record<string, readonly [owner: string, members: readonly string[]]>> = {
  'property types': ['storage/schema/collection-tables.ts', PROPERTY_TYPES],
  locations: ['storage/schema/document-tables.ts', LOCATIONS],
  'connection kinds': ['storage/schema/access-tables.ts', CONNECTION_KINDS],
  'access levels': ['storage/schema/access-tables.ts', ACCESS_LEVELS],
  scopes: ['src/auth/resource-server/scopes.ts', SCOPES],
  'block types': ['src/markdown/block.ts', BLOCK_TYPES],
  'highlight colors': ['src/markdown/block.ts', HIGHLIGHT_COLORS],
  'list styles': ['src/markdown/block.ts', LIST_STYLES],
  'text styles': ['src/markdown/block.ts', TEXT_STYLES],
  'task states': ['src/markdown/block.ts', TASK_STATES],
  'option colors': ['src/space/collections/schema/schema-input.ts', OPTION_COLORS],
  'filter types': ['src/space/collections/views/view.ts', FILTER_TYPES],
  'view types': ['storage/schema/collection-tables.ts', VIEW_TYPES],
  weekdays: ['src/space/model/weekdays.ts', WEEKDAYS],
  frequencies: ['src/space/schedule/repeats.ts', FREQUENCIES],
  'task scopes': ['src/space/tasks/task-list.ts', TASK_SCOPES],
}

/** Arrays of strings in a source, as their entries. */
const textArrays = (source: string): string[][] =>
  [...source.matchAll(/\[((?:\s*'[^'\n]*',?)+)\s*\]/g)].map(([, entries = '']) =>
    [...entries.matchAll(/'([^']*)'/g)].map(([, entry = '']) => entry),
  )

describe('a closed set is listed once', () => {
  test.each(Object.entries(SETS))('%s', (_, [owner, members]) => {
    const copies = [...sources].filter(
      ([file, source]) =>
        file !== owner && textArrays(source).some((entries) => members.every((member) => entries.includes(member))),
    )
    expect(copies.map(([file]) => file)).toEqual([])
    expect(members.length).toBeGreaterThan(1)
  })

  test('a copy is found, on one line or several', () => {
    expect(textArrays("z.enum(['a', 'b'])\n[\n  'c',\n  'd',\n]")).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })
})

/**
 * Switches over values that are not a union: text of clients, tokens of markdown-it, JSON Schemas, instruction numbers.
 */
const OPEN_SWITCHES: Readonly<Record<string, string>> = {
  'src/call/input/arguments.ts': 'types of JSON Schema',
  'src/call/input/validation-errors.ts': 'kinds of zod issues, which grow with zod',
  'src/html/substitute-text.ts': 'elements of MathML, written by anyone',
  'src/import/standardnotes/lexical-html.ts': 'types of nodes in notes of another program',
  'src/losses/read-source.ts': 'nodes of remark',
  'src/markdown/blocks/page.ts': 'attributes of a tag, written by anyone',
  'src/markdown/inline/inline-escapes.ts': 'characters',
  'src/markdown/plain-line.ts': 'marks of a line',
  'src/markdown/read-markdown.ts': 'tokens of markdown-it',
  'src/page/assets/reading.ts': 'elements of a page, by their names',
  'src/page/assets/model/inline-nodes.ts': 'types of nodes of ProseMirror, which are values',
  'src/regex/pattern-parser.ts': 'characters',
  'src/regex/pike-vm.ts': 'instructions by number',
  'src/render/svg-arrows.ts': 'arrowheads, named by any client',
  'src/render/svg-shapes.ts': 'types of elements, named by any client',
  'src/render/whiteboard-svg.ts': 'types of elements, named by any client',
}

test('switches over unions have no default, so that a new member fails to compile', () => {
  const found = [...sources]
    .filter(([, source]) => /^\s*default:(?! \{ \$ref)(?! null,$)/m.test(source))
    .map(([file]) => file)
  expect(found.sort()).toEqual(Object.keys(OPEN_SWITCHES).sort())
})
