/** The package as npm installs it: the bundled program, in a folder outside of the checkout. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build } from '../scripts/build.ts'
import { CONNECTION_KINDS } from '../src/space/model/space.ts'
import { connectWith, folder, type Program, root, run, start, structured } from './program.ts'

const elsewhere = mkdtempSync(join(tmpdir(), 'scriptorium-'))
const laid = join(elsewhere, 'node_modules', 'scriptorium')
const { bin, files, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const program: Program = { script: join(laid, bin.scriptorium), cwd: elsewhere }

beforeAll(async () => {
  mkdirSync(laid, { recursive: true })
  copyFileSync(join(root, 'package.json'), join(laid, 'package.json'))
  for (const name of Object.keys(dependencies)) {
    const link = join(elsewhere, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  await build({ folder: join(laid, 'dist') })
}, 60_000)
afterAll(() => rmSync(elsewhere, { recursive: true }))

const connect = (...flags: string[]) =>
  connectWith([program.script, 'stdio', '--space', join(folder(), 'space.sqlite'), '--no-welcome', ...flags], elsewhere)
const snapshot = (kind: string) => JSON.parse(readFileSync(join(root, 'test/snapshots', `tools-${kind}.json`), 'utf8'))

test('npm includes the built program', () => {
  expect(files).toContain('dist')
  expect(existsSync(program.script)).toBe(true)
})

test('a database needs an extra package, which is asked for', async () => {
  const address = 'postgres://scriptorium@localhost/scriptorium'
  expect(await run(['spaces', 'list', '--database', address], {}, '', program)).toEqual({
    code: 2,
    output: '',
    errors:
      'Expected the package pg for a database of PostgreSQL, found none; install it where Scriptorium is, as with npm install --global pg.\n',
  })
})

test('starting on a file loads nothing of PostgreSQL', () => {
  const loaded = new Set<string>()
  const follow = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    const text = readFileSync(join(laid, 'dist', file), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:from|^import|;import) ?"\.\/([\w-]+\.js)"/gm)) follow(name)
  }
  follow('main.js')
  const texts = [...loaded].map((file) => readFileSync(join(laid, 'dist', file), 'utf8')).join('\n')
  expect(texts).toContain('BEGIN IMMEDIATE')
  expect(texts).not.toContain('FOR NO KEY UPDATE')
})

describe('the tool list', () => {
  test.each(CONNECTION_KINDS)('of a %s connection matches the declarations', (kind) => {
    const published = JSON.parse(readFileSync(join(laid, 'dist', `tools-${kind}.json`), 'utf8'))
    expect(published.map(({ listing }: { listing: object }) => listing)).toEqual(snapshot(kind))
  })

  test('is shown before the declarations are loaded, and by access', async () => {
    expect((await (await connect('--kind', 'daily')).listTools()).tools).toEqual(snapshot('daily'))
    const { tools } = await (await connect('--access', 'read')).listTools()
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(tools.map(() => true))
    expect(tools.length).toBeGreaterThan(10)
  })

  test('omits what a connection currently may not use', async () => {
    const space = join(folder(), 'space.sqlite')
    await run(['participants', 'add', 'Anna', '--space', space], {}, '', program)
    const client = await connectWith([program.script, 'stdio', '--space', space], elsewhere)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(
      snapshot('full').flatMap(({ name }: { name: string }) => (name.startsWith('reminders_') ? [] : name)),
    )
    expect(await client.callTool({ name: 'reminders_list' })).toMatchObject({
      isError: true,
      content: [
        {
          text: "Expected a connection whose reminders are one person's, found an ordinary link of a space with 2 participants; use a connection that a participant signed in to.",
        },
      ],
    })
  })
})

test('content can be written, read, searched and rendered, also in workers', async () => {
  const client = await connect()
  const long = `${'x '.repeat(20_000)}\n\n${'foobar baz '.repeat(4_000)}`
  const documents = [{ title: 'Long', markdown: long }, { title: 'Short' }]
  const [{ id: longId }, { id }] = (await structured(client, 'documents_add', { documents, answer: 'ids' })).items
  const { items } = await structured(client, 'blocks_search', { blockId: longId, pattern: 'foo(?=bar)', limit: 1 })
  expect(items).toHaveLength(1)
  const position = { position: 'end', pageId: id }
  const { whiteboardBlockId } = await structured(client, 'whiteboards_add', { position })
  const elements = [{ id: 'a', type: 'rectangle', x: 0, y: 0, width: 100, height: 60 }]
  await structured(client, 'elements_add', { whiteboardBlockId, elements })
  const { content } = await client.callTool({ name: 'blocks_get', arguments: { id, format: 'markdown', images: true } })
  expect(content).toContainEqual({ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) })
})

test('it serves the links that it creates, with sign-in', async () => {
  const space = join(folder(), 'space.sqlite')
  const made = await run(['links', 'add', '--json', '--space', space], {}, '', program)
  expect(made).toMatchObject({ code: 0, errors: '' })
  const serving = start(['serve', '--oauth', '--port', '0', '--space', space], {}, program)
  const [, origin = ''] = await serving.until(/Serving at (\S+);/)
  const secret = /links\/([^/"]+)/.exec(made.output)?.[1]
  const answer = await fetch(`${origin}/links/${secret}/api/v1/folders`)
  expect([answer.status, await answer.json()]).toMatchObject([200, { items: [{ id: 'unsorted' }, {}, {}] }])
  expect(await serving.end()).toBe(0)
  const examined = await run(['doctor', '--space', space], {}, '', program)
  expect(examined).toMatchObject({ code: 0, errors: '', output: expect.stringMatching(/Integrity +ok/) })
})

test('no loaded source file needs two bytes per character', () => {
  // The pages are written in tagged templates, whose characters cannot be escaped. They are loaded only by visits.
  const programs = readdirSync(join(laid, 'dist')).filter((name) => /^(?!pages-).*\.js$/.test(name))
  const texts = programs.map((name) => readFileSync(join(laid, 'dist', name), 'utf8'))
  expect(texts.filter((text) => /[^\p{ASCII}]/u.test(text))).toEqual([])
})

test('the licenses of everything in it are included, each with its text', () => {
  const licences = readFileSync(join(laid, 'dist', 'LICENSES.txt'), 'utf8')
  expect(licences).not.toMatch(/^\S+ \S+ \([^)]+\)\n\n-{80}$/m)
  for (const name of [
    'zod',
    'hono',
    '@modelcontextprotocol/server',
    'drizzle-orm',
    'koa-compose',
    'saxes',
    'markdown-it',
    'oidc-provider',
    'koa',
    'pino',
    'dejavu-fonts-ttf',
  ]) {
    const { version, license } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
    expect(licences).toContain(`\n${name} ${version} (${license})\n`)
  }
})
