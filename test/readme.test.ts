/** README.md and the pages in docs: generated parts are current, links work, and every limit is documented. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { anchorsOf, siteFiles } from '../docs/site/pages.ts'
import { openApiFile } from '../scripts/openapi-file.ts'
import { documentFiles, fillDocument, LIMITS, OPENAPI_FILE, ROOT } from '../scripts/readme.ts'
import { helpText } from '../src/cli/help-text.ts'

/** It is read first, in a minute. */
const MAX_README_BYTES = 6_000

const readDocument = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const linked = [...documentFiles(), 'CONTRIBUTING.md', 'SECURITY.md', 'src/regex/README.md', 'src/render/README.md']
/** Code is an example, so its links are ignored. */
const withoutCode = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```$|`[^`\n]+`/gm, '')

/** Why a link of a document is broken; undefined if it works or leads to another site. */
function brokenLink(file: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : relative(ROOT, join(ROOT, dirname(file), path))
  if (!existsSync(join(ROOT, target))) return `${file}: ${link} has no file`
  if (anchor === undefined || anchorsOf(readDocument(target)).includes(anchor)) return undefined
  return `${file}: ${link} has no heading`
}

test.each(documentFiles())('the generated parts of %s are current; if not, run npm run readme', (file) => {
  const found = readDocument(file)
  expect(found).toBe(fillDocument(found))
})

test('docs/openapi.json is current; if not, run npm run readme', () => {
  const found = readDocument(OPENAPI_FILE)
  expect(found).toBe(openApiFile())
  const { paths, components, servers } = JSON.parse(found)
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/blocks', '/changes', '/import', '/export']))
  expect(components.schemas.Block.properties.id).toEqual({ type: 'string' })
  expect(servers[0].url).toContain('{secret}')
})

test('a number that differs from its limit is replaced, in the unit that its marker names', () => {
  const text =
    'At most <!-- limit:BODY_BYTES MiB -->11<!-- /limit --> MiB, <!-- limit:PASSWORD_LENGTH.least -->9<!-- /limit -->.'
  expect(fillDocument(text)).toBe(
    'At most <!-- limit:BODY_BYTES MiB -->10<!-- /limit --> MiB, <!-- limit:PASSWORD_LENGTH.least -->10<!-- /limit -->.',
  )
  expect(() => fillDocument('<!-- limit:NONE -->1<!-- /limit -->')).toThrow(
    'Expected the name of a limit in a document, found NONE; see limits.ts.',
  )
})

test('every limit is in docs/limits.md, with each of its members', () => {
  const text = readDocument('docs/limits.md')
  const names = Object.entries(LIMITS).flatMap(([name, limit]) =>
    typeof limit === 'object' ? Object.keys(limit).map((member) => `${name}.${member}`) : name,
  )
  expect(names.filter((name) => !new RegExp(`limit:${name}[ ]`).test(text))).toEqual([])
})

test('every command and flag is in docs/cli.md', () => {
  const text = readDocument('docs/cli.md')
  const commands = [...helpText().matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?: [A-Z][^ ]*)*(?: or ID)? {2,}/gm)]
  const names = commands.map(([, name = '']) => name)
  expect(names).toContain('participants remove')
  const flags = names.flatMap(
    (name) => helpText(name as Parameters<typeof helpText>[0]).match(/^ {2}--[a-z-]+/gm) ?? [],
  )
  const words = [...names, ...flags.map((flag) => flag.trim())].filter((word) => word !== '--help')
  expect([...new Set(words)].filter((word) => !new RegExp(`\`${word}[ \`]`).test(text))).toEqual([])
})

test(`the README has fewer than ${MAX_README_BYTES.toLocaleString('en-US')} bytes`, () => {
  expect(Buffer.byteLength(readDocument('README.md'))).toBeLessThan(MAX_README_BYTES)
})

/** A table that is filled in, and a row with a limit, are as long as what they list. */
const byHand = (text: string): string =>
  text
    .replace(/<!-- (endpoints|commands|flags|hosts|remote-hosts|links|installs) -->[\s\S]*?<!-- \/\1 -->/g, '')
    .replace(/^\|.*<!-- limit:.*\n/gm, '')

const PAGE_BYTES = 12 * 1024

test('no page has more than 12 KiB that are written by hand', () => {
  const long = documentFiles().filter((file) => Buffer.byteLength(byHand(readDocument(file))) > PAGE_BYTES)
  expect(long).toEqual([])
})

const REPOSITORY = 'https://example.org/it/blob/main'

test('links of the web site lead to its pages and files, with their headings, or to files of the repository', () => {
  const { pages, assets } = siteFiles(REPOSITORY)
  const broken = [...pages].flatMap(([page, text]) => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    return links.filter((link) => !isInSite(page, link)).map((link) => `${page}: ${link}`)
  })
  expect(pages.get('index.md')).toContain('](./start.md)')
  expect(broken).toEqual([])

  function isInSite(page: string, link: string): boolean {
    const [path = '', anchor] = link.replace(/^\.\//, '').split('#')
    if (path.startsWith(REPOSITORY)) return existsSync(join(ROOT, path.slice(REPOSITORY.length)))
    if (/^[a-z]+:/.test(link)) return true
    const text = pages.get(path === '' ? page : path)
    if (text === undefined) return assets.has(path)
    return anchor === undefined || anchorsOf(text).includes(anchor)
  }
})

test('the README compares as docs/compared.md does, where each cell about another server has its source', () => {
  const rowsOf = (file: string): string[] =>
    /^\| \| Scriptorium \|[\s\S]*?\n\n/m.exec(readDocument(file))?.[0].trim().split('\n') ?? []
  const rows = rowsOf('docs/compared.md')
  const plain = rows.map((row) => row.replace(/ \[\[\d+\]\]\(#sources\)/g, '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1'))
  expect(plain.length).toBeGreaterThan(10)
  expect(rowsOf('README.md')).toEqual(plain)
  const cells = rows.slice(2).flatMap((row) => row.split('|').slice(3, -1))
  expect(cells.filter((cell) => !/\[\[\d\]\]\(#sources\) $/.test(cell))).toEqual([])
})

test('the web site has every document as a page', () => {
  const { pages } = siteFiles(REPOSITORY)
  const documents = documentFiles().filter((file) => file.startsWith('docs/') && file !== 'docs/README.md')
  expect(documents.filter((file) => !pages.has(file.slice('docs/'.length)))).toEqual([])
})

test('links between documents lead to files and headings that exist', () => {
  const broken = linked.flatMap((file) => {
    const links = [...withoutCode(readDocument(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    return links.flatMap((link) => brokenLink(file, link) ?? [])
  })
  expect(broken).toEqual([])
})

test('every page in docs is linked once from docs/README.md, below one of five readers', () => {
  const text = readDocument('docs/README.md')
  const readers = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)
  expect(readers).toEqual(['Use', 'Build agents', 'Operate', 'Reference', 'For reviewers'])
  const pages = documentFiles().filter((file) => file.startsWith('docs/') && file !== 'docs/README.md')
  expect(pages.filter((page) => text.split(`](${page.slice('docs/'.length)})`).length !== 2)).toEqual([])
})

test('files of this project that documents name exist', () => {
  const missing = linked.flatMap((file) => {
    const names = [...readDocument(file).matchAll(/`((?:src|storage|tools|scripts|test)\/[\w./-]+\.\w+)`/g)]
    return names.flatMap(([, name = '']) => (existsSync(join(ROOT, name)) ? [] : `${file}: ${name}`))
  })
  expect(missing).toEqual([])
})
