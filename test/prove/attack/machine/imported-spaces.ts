/** Exports and files of spaces that are imported as documents, whose readers would then read them. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import Sqlite from 'better-sqlite3'
import { ZipFile } from 'yazl'
import type { Attack } from '../attack.ts'
import { commandOf, runProgram } from '../process.ts'
import type { AttackedServer } from '../server.ts'
import type { World } from '../world.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='

interface OtherSpace {
  /** The file of a space, in a folder of its own. */
  file: string
  /** What nobody may read: its key, and the secret of its webhook. */
  secrets: string[]
}

/** Creates a space with a webhook. */
async function otherSpace({ program }: World, folder: string): Promise<OtherSpace> {
  const file = join(folder, 'other.sqlite')
  const space = ['--space', file, '--no-welcome']
  await commandOf(program, ['links', 'add', '--webhook', 'https://hooks.example/a', ...space])
  const sqlite = new Sqlite(file)
  try {
    sqlite.prepare('UPDATE webhook SET secret = ?').run(SECRET)
    const key = sqlite.prepare<[], string>('SELECT secret FROM space').pluck().get() ?? ''
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
    return { file, secrets: [SECRET, key] }
  } finally {
    sqlite.close()
  }
}

/** The files below a folder, by their paths in it. */
function filesIn(folder: string): Record<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path)]))
}

/** A zip that is not compressed, so that secrets can be found in it. */
function zipOf(files: Record<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, bytes] of Object.entries(files)) zip.addBuffer(bytes, path, { compress: false })
  zip.end()
  return buffer(zip.outputStream)
}

export const exportedSecrets: Attack = {
  finding: 23,
  name: 'secrets in the export of a space that can be read',
  async attempt(world) {
    const folder = world.folder()
    const { file, secrets } = await otherSpace(world, folder)
    const faults: string[] = []
    for (const [name, flags] of [
      ['out', []],
      ['sealed', ['--passphrase']],
    ] as const) {
      const to = join(folder, name)
      const args = ['export', '--as', 'json', '--to', to, '--space', file, ...flags]
      await runProgram(world.program, args, { input: 'correct horse battery\n' })
      const texts = Object.values(filesIn(to)).map((bytes) => bytes.toString('latin1'))
      if (texts.length === 0) throw new Error('Expected an export, found none.')
      const isShown = secrets.some((secret) => texts.some((text) => text.includes(secret)))
      if (isShown) faults.push(`an export ${flags.join('') || 'without a passphrase'} shows secrets`)
    }
    return faults
  },
}

/** Imports a folder into the space of a server, on the command line and as a zip over HTTP. */
async function importBoth(world: World, server: AttackedServer, folder: string): Promise<void> {
  await runProgram(world.program, ['import', folder, '--as', 'markdown', '--space', server.file])
  const zip = await zipOf(filesIn(folder))
  const { status, json } = await server.rest('POST /import?name=a&as=markdown', zip, {
    ...server.full,
    headers: { ...server.full.headers, 'content-type': 'application/zip' },
  })
  if (status !== 202) return
  for (;;) {
    const { status: state } = await server.done(`GET /import/${json.id}`)
    if (state !== 'running') return
  }
}

/** Reads all files that a link which only reads can list. @returns those whose bytes contain one of the texts */
async function filesWith(server: AttackedServer, texts: readonly string[]): Promise<string[]> {
  const reader = await server.link({ access: 'read' })
  const found: string[] = []
  const { json } = await server.rest('GET /documents', undefined, reader)
  for (const { id } of json.items) {
    const { json: page } = await server.rest(`GET /blocks?id=${id}`, undefined, reader)
    for (const { url, fileName } of page.content ?? []) {
      if (url === undefined) continue
      const bytes = await (await fetch(url)).arrayBuffer()
      const text = Buffer.from(bytes).toString('latin1')
      if (texts.some((one) => text.includes(one))) found.push(fileName ?? url)
    }
  }
  return found
}

export const importedExport: Attack = {
  finding: 23,
  name: 'the export of a space, imported as documents',
  async attempt(world) {
    const server = await world.serve()
    const folder = world.folder()
    const { file, secrets } = await otherSpace(world, folder)
    const notes = join(folder, 'notes')
    const out = join(notes, 'old', 'space')
    mkdirSync(dirname(out), { recursive: true })
    writeFileSync(join(notes, 'a.md'), 'A note.\n')
    await runProgram(world.program, ['export', '--as', 'json', '--to', out, '--space', file])
    // As earlier versions exported it.
    writeFileSync(join(out, 'tables', 'webhook.jsonl'), `{"n":1,"secret":"${SECRET}"}\n`)
    await importBoth(world, server, notes)
    const found = await filesWith(server, [...secrets, 'secret_hash'])
    await server.close()
    return found.map((name) => `who only reads the space reads ${name} of another one`)
  },
}

export const importedSpace: Attack = {
  finding: 23,
  name: 'a space, its backups, and archives of them, imported as documents',
  async attempt(world) {
    const server = await world.serve()
    const folder = world.folder()
    const { file, secrets } = await otherSpace(world, folder)
    const notes = join(folder, 'notes')
    mkdirSync(notes)
    writeFileSync(join(notes, 'a.md'), 'A note.\n')
    copyFileSync(file, join(notes, 'my.sqlite'))
    copyFileSync(file, join(notes, 'photo.png'))
    const space = readFileSync(file)
    writeFileSync(join(notes, 'longer.bin'), Buffer.concat([space, Buffer.from('x')]))
    writeFileSync(join(notes, 'packed.zip'), await zipOf({ 'my.sqlite': space }))
    await importBoth(world, server, notes)
    const found = await filesWith(server, secrets)
    await server.close()
    return found.map((name) => `who only reads the space reads ${name}, which is another one`)
  },
}
