/** Closing a descriptor of the database drops the locks that SQLite holds on it, so only SQLite may open it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Functions of `node:fs` that open no file. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['accessSync', 'chmodSync', 'constants', 'existsSync', 'lstatSync', 'mkdirSync', 'readdirSync', 'readlinkSync'],
  ...['realpathSync', 'rmSync', 'statSync', 'statfsSync'],
])

/** Files that open others than an open database, and why that is safe. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/cli/hosts/config-file.ts': 'reads and writes configurations of hosts, with no space open',
  'src/cli/hosts/host-folders.ts': 'looks for configurations of hosts, with no space open',
  'src/cli/serve-command.ts': 'reads certificates before any space is opened',
  'src/mcp/prebuilt-tools.ts': 'reads a file of the installed package',
  'src/render/font-characters.ts': 'reads fonts',
  'src/render/fonts.ts': 'reads fonts',
  'src/render/svg-to-png.ts': 'reads WebAssembly of a package',
  'storage/sqlite/backup.ts': 'writes backups',
  'storage/sqlite/beside-symlink.ts': 'opens files beside the space',
  'storage/bytes/checked-files.ts': 'opens files of the machine that are not the space',
  'storage/bytes/file-store.ts': 'opens files kept beside the space',
  'storage/bytes/local-files.ts': 'opens files of the machine that are not the space',
  'storage/sqlite/open-read-only.ts':
    'copies a file that has no log and is read-only, so that the program cannot have it open',
  'storage/sqlite/private-files.ts': 'opens only files that did not exist',
  'storage/sqlite/restore.ts': 'writes the restored file',
  'storage/sqlite/schema-copies.ts': 'opens copies beside the space',
  'storage/sqlite/space-copy.ts': 'opens copies of the space',
  'storage/bytes/space-files.ts': 'opens files kept beside the space',
  'storage/sqlite/wal.ts': 'reads a log before the program opens the database',
}

function opensFiles(file: string): boolean {
  const source = readFileSync(join(root, file), 'utf8')
  const names = [...source.matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  )
  return /import \w+ from 'node:fs/.test(source) || names.some((name) => name !== '' && !HARMLESS.has(name))
}

test('only files with a reason open files themselves', () => {
  const files = ['src', 'tools', 'storage'].flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`, { cwd: root }))
  expect(files.filter(opensFiles).sort()).toEqual(Object.keys(ALLOWED).sort())
})
