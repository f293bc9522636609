/** Imports point down: each folder imports what it may, and nothing else. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** For each folder or file: the files of ours, and the packages, that it may import. */
const MAY: readonly (readonly [where: RegExp, ours: RegExp, packages: RegExp])[] = [
  [/^storage\//, /^(storage\/|src\/(errors|limits))/, /^(drizzle-orm|better-sqlite3)/],
  [
    /^src\/markdown\//,
    /^src\/(markdown\/|breathe|errors|limits|thread)/,
    /^(markdown-it|unified|remark|micromark|mdast)/,
  ],
  [/^src\/pattern\//, /^src\/(pattern\/|breathe|errors|limits|thread)/, /^re2js$/],
  [
    /^src\/space\/whiteboards\//,
    /^(storage\/|src\/(space\/|markdown\/addresses|breathe|errors|limits|thread))/,
    /^(roughjs|perfect-freehand|@resvg\/resvg-wasm|image-size)/,
  ],
  [
    /^src\/space\//,
    /^(storage\/|src\/(space\/|markdown\/|pattern\/|breathe|control-characters|errors|limits))/,
    /^(temporal-polyfill|culori|uuidv7|file-type|image-size)/,
  ],
  [/^src\/server\/oauth\/connections\.ts$/, /^(storage\/|src\/(server\/|errors|limits|space\/(space|open)\.ts))/, /^$/],
  [/^src\/server\/oauth\//, /^src\/(server\/|endpoint|errors|limits|space\/space\.ts)/, /^jose$/],
  // What consents come to, and what the issuer keeps beside the space.
  [
    /^src\/server\/issuer\//,
    /^(storage\/(blocks|links|sign-ins)\.ts|src\/(server\/|control-characters|errors|limits|space\/(space|open|participants|passwords|documents-pick)\.ts))/,
    /^(oidc-provider|jose|hono\/html|@hono)/,
  ],
  // What a space has used, its links and its log of writes: the files of the frame that reach down to storage.
  [
    /^src\/server\/(budget|links|writes)\.ts$/,
    /^(storage\/|src\/(server\/|endpoint|breathe|errors|limits|space\/((space|open|beside|watch|names)\.ts|files\/)))/,
    /^zod$/,
  ],
  [
    /^src\/server\//,
    // And what faults of the disk are in words.
    /^(storage\/faults\.ts$|src\/(server\/|endpoint|list|breathe|control-characters|errors|limits|space\/(space|open|beside|watch|cursors)\.ts))/,
    /^(zod|@modelcontextprotocol\/server|hono|@hono|prom-client|fastest-levenshtein)/,
  ],
  [/^src\/doctor\//, /^(storage\/|src\/(doctor\/|control-characters|space\/search\/texts\.ts))/, /^$/],
  [/^tools\//, /^(src\/(endpoint|list|errors|limits|space\/|markdown\/block)|tools\/shapes)/, /^zod$/],
  [/^src\/endpoint\.ts$/, /^src\/space\/(space|beside|in-markdown|resources|resources-read)\.ts$/, /^zod$/],
  [/^src\/list\.ts$/, /^src\/(limits|breathe)\.ts$/, /^zod$/],
  [/^src\/errors\.ts$/, /^src\/limits\.ts$/, /^$/],
  [/^src\/(limits|thread|breathe|control-characters)\.ts$/, /^$/, /^$/],
]

const files = ['src', 'tools', 'storage'].flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`, { cwd: root }))

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name,
  )
}

const isOurs = (name: string) => /^(src|tools|storage|test)\//.test(name)

describe('imports point down', () => {
  test.each(files)('%s', (file) => {
    const rule = MAY.find(([where]) => where.test(file))
    if (rule === undefined || file === 'tools/index.ts')
      return expect(file).toMatch(/^(src\/[\w-]+\.[tj]s|tools\/index\.ts)$/)
    const [, ours, packages] = rule
    const wrong = importsOf(file).filter((name) => {
      if (name.startsWith('node:')) return false
      return !(isOurs(name) ? ours : packages).test(name)
    })
    expect(wrong, `${file} imports what it may not; allowed are ${ours} and ${packages}`).toEqual([])
  })

  test('the files of src/space, src/markdown and src/pattern import each other without circles', () => {
    const done = new Set<string>()
    const visit = (file: string, trail: readonly string[]): void => {
      expect(trail, `circle: ${[...trail, file].join(' > ')}`).not.toContain(file)
      if (done.has(file)) return
      const inner = importsOf(file).filter(isOurs)
      for (const next of inner) visit(next, [...trail, file])
      done.add(file)
    }
    for (const file of files.filter((name) => /^src\/(space|markdown|pattern)\//.test(name))) visit(file, [])
  })

  test('no file opens the database by itself: closing a descriptor of it would drop the locks SQLite holds', () => {
    const harmless = new Set([
      'accessSync',
      'chmodSync',
      'constants',
      'existsSync',
      'lstatSync',
      'mkdirSync',
      'readdirSync',
      'readlinkSync',
      'realpathSync',
      'rmSync',
      'statSync',
      'statfsSync',
    ])
    // Certificates are read before any space is opened; the build opens none.
    const openers = files.filter((file) => {
      if (file === 'src/serve.ts') return false
      // What the build wrote beside the program.
      if (file === 'src/published.ts') return false
      // Files and copies beside the space, backups, and files of the machine that are not it.
      const opensOthers = [
        ...['backup', 'beside-link', 'checked-files', 'file-store', 'local-files', 'restore', 'schema-copies'],
        ...['space-copy', 'space-files'],
      ]
      if (opensOthers.some((name) => file === `storage/${name}.ts`)) return false
      // It reads a log before the program opens the database.
      if (file === 'storage/wal.ts') return false
      // It copies a file that has no log and cannot be written, so that the program cannot have it open.
      if (file === 'storage/open-to-read.ts') return false
      // It opens only what was not there.
      if (file === 'storage/private-files.ts') return false
      // Fonts.
      if (/^src\/space\/whiteboards\/(picture-thread|fonts)\.ts$/.test(file)) return false
      const source = readFileSync(join(root, file), 'utf8')
      const imported = [...source.matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)].flatMap(
        ([, names = '']) => names.split(','),
      )
      return /import \w+ from 'node:fs/.test(source) || imported.some((name) => !harmless.has(name.trim()))
    })
    expect(openers).toEqual([])
  })
})
