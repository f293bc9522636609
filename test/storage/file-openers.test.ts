/** Closing a file descriptor of the database drops the locks that SQLite holds on it, so only SQLite may open it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Functions of `node:fs` that do not open files. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['accessSync', 'chmodSync', 'constants', 'existsSync', 'lstatSync', 'mkdirSync', 'readdirSync', 'readlinkSync'],
  ...['realpathSync', 'rmSync', 'statSync', 'statfsSync'],
])

/** Source files that open other files than an open database, and why that is safe. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/base/logger.ts': 'writes to standard error, which is open already',
  'src/cli/certificate-files.ts': 'reads certificates, which are no spaces',
  'src/cli/erase-command.ts': 'adds to a list of erasures, and reads it; files of the space are refused as lists',
  'src/cli/read-text-file.ts': 'reads heads of the log, keys and lists of erasures, which are no spaces',
  'src/cli/hosts/config-file.ts': 'reads and writes configurations of hosts, with no space open',
  'src/hosts/host-folders.ts': 'looks for configurations of hosts, with no space open',
  'src/cli/open-command.ts': 'writes a file of its own for the browser',
  'src/cli/readiness-checks.ts': 'asks for rights and free bytes, and opens nothing',
  'src/cli/spaces/move-to-database.ts': 'makes a temporary folder',
  'src/cli/spaces/move-to-file.ts': 'renames a new space, which no process has open yet',
  'src/export/export-journal.ts': 'writes the journal of an export',
  'src/export/folder-target.ts': 'removes files that an export wrote',
  'src/export/run-export.ts': 'writes a new zip',
  'src/import/own/write-file.ts': 'writes files of an export, and reads those that an export wrote',
  'src/http/archives/export-files.ts': 'a file on its way out, in a temporary folder',
  'src/http/archives/received-file.ts': 'a file on its way in, in a temporary folder',
  'src/import/conversations/conversations-format.ts': 'conversations, in a temporary folder',
  'src/import/docx/docx-page.ts': 'a Word document that was read already, in a temporary folder of its own',
  'src/import/enex/enex-format.ts': 'makes a temporary folder',
  'src/import/enex/enex-reader.ts': 'writes and reads notes in a temporary folder',
  'src/import/folder-source.ts': 'lists folders; files of them are opened by storage/bytes/local-files.ts',
  'src/import/import-thread.ts': 'makes a temporary folder',
  'src/import/own/export-manifest.ts': 'reads the manifest of an export',
  'src/import/spaces/read-checked.ts': 'writes and reads archives in a temporary folder',
  'src/import/tar-source.ts': 'files of an archive, in a temporary folder of its own',
  'src/import/textbundle/textbundle-format.ts': 'writes packs to a temporary folder',
  'src/import/zip-source.ts': 'writes zips that lie in a zip to a temporary folder',
  'src/import/zip-file.ts': 'reads a zip that was named for an import',
  'src/mcp/prebuilt-tools.ts': 'reads a file of the installed package',
  'src/page/assets.ts': 'reads styles and scripts of the installed package',
  'src/page/scripts.ts': 'reads scripts of the installed package',
  'src/render/font-characters.ts': 'reads fonts',
  'src/render/fonts.ts': 'reads fonts',
  'src/render/svg-image.ts': 'reads WebAssembly of a package',
  'storage/postgres/bucket-file-bytes.ts': 'writes uploads to a temporary folder',
  'storage/sqlite/copies/backup.ts': 'writes backups',
  'storage/sqlite/symlink-companions.ts': 'opens files beside the space',
  'storage/bytes/checked-files.ts': 'opens files of the machine that are not the space',
  'storage/bytes/file-store.ts': 'opens files kept beside the space',
  'storage/bytes/local-files.ts': 'opens files of the machine that are not the space',
  'storage/sqlite/copies/checksums.ts': 'reads backups, which no process has open',
  'storage/sqlite/copies/load-dump.ts': 'renames a database that no process has open yet',
  'storage/sqlite/open-read-only.ts':
    'copies a file that has no log and is read-only, so that the program cannot have it open',
  'storage/sqlite/private-files.ts': 'opens only files that did not exist',
  'storage/sqlite/copies/restore.ts': 'writes the restored file',
  'storage/sqlite/schema-copies.ts': 'opens copies beside the space',
  'storage/sqlite/copies/space-copy.ts': 'opens copies of the space',
  'storage/bytes/space-files.ts': 'opens files kept beside the space',
  'storage/sqlite/wal.ts': 'reads a log before the program opens the database',
  'tools/skills.ts': 'reads a file of the package',
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
