/** An import that is killed and repeated has the same result as one without an interruption. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { folder, run, start } from '../program.ts'

const NOTES = 120
/** The number of documents after which it is killed, each time. */
const KILLED_AFTER = [1, 30, 70]

/** Notes in folders that link to each other's headings, each with a file of its own or a shared one. */
function writeVault(): string {
  const path = folder()
  mkdirSync(join(path, '.obsidian'))
  for (let index = 0; index < NOTES; index++) {
    const place = join(path, `box ${index % 7}`)
    mkdirSync(place, { recursive: true })
    const [next, last] = [(index + 1) % NOTES, (index * 7) % NOTES]
    const text = `# Top ${index}\n\n[[Note ${next}#Top ${next}]] and [[Note ${last}]].\n\n![[file ${index % 20}.bin]]\n`
    writeFileSync(join(place, `Note ${index}.md`), text)
    writeFileSync(join(path, `file ${index % 20}.bin`), `bytes ${index % 20}`)
  }
  return path
}

const countDocuments = (file: string): number => {
  if (!existsSync(file)) return 0
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return sqlite.prepare<[], number>('SELECT count(*) FROM document').pluck().get() ?? 0
  } catch {
    return 0
  } finally {
    sqlite.close()
  }
}

/** The content of a space, with names in place of IDs and times. */
function contentsOf(file: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  const names = new Map<number, string>()
  type Row = { id: number; type: string; text: string; attributes: string | null; title: string; folder: string | null }
  const rows = sqlite
    .prepare<[], Row>(
      `SELECT block.id, block.type, block.text, block.attributes, root.text AS title, folder.name AS folder FROM block
        JOIN block AS root ON root.n = block.document JOIN document ON document.n = root.n
        LEFT JOIN folder ON folder.n = document.folder ORDER BY root.text, block.parent IS NOT NULL, block.position`,
    )
    .all()
  for (const { id, text, title } of rows) names.set(id, `${title}/${text.startsWith('Top') ? 'top' : ''}`)
  const files = sqlite.prepare<[], { id: number; name: string; hash: string }>('SELECT id, name, hash FROM file').all()
  for (const { id, name } of files) names.set(id, name)
  sqlite.close()
  const named = (text: string | null) => text?.replace(/\d{12}/g, (id) => names.get(Number(id)) ?? 'nothing')
  return [
    ...rows.map(({ type, text, attributes, title, folder: place }) =>
      [place, title, type, named(text), named(attributes)].join(' | '),
    ),
    ...files.map(({ name, hash }) => `${name} ${hash}`).sort(),
  ]
}

test('killed at any moment and repeated, it results in the same space, and nothing twice', async () => {
  const vault = writeVault()
  const file = join(folder(), 'space.sqlite')
  const command = (space: string) => ['import', vault, '--space', space, '--no-welcome', '--json']
  for (const most of KILLED_AFTER) {
    const running = start(command(file))
    let isOver = false
    const ended = new Promise<void>((resolve) => running.child.once('close', () => resolve()))
    void ended.then(() => {
      isOver = true
    })
    while (!isOver && countDocuments(file) < most) await new Promise((resolve) => setImmediate(resolve))
    await running.end('SIGKILL')
  }
  const last = await run(command(file))
  expect(JSON.parse(last.output).counts).toMatchObject({ conflicts: 0, failed: 0 })
  const whole = join(folder(), 'whole.sqlite')
  const { output, code } = await run(command(whole))
  expect([code, JSON.parse(output).counts]).toEqual([0, expect.objectContaining({ added: NOTES, links: 360 })])
  const contents = contentsOf(file)
  expect(contents).toEqual(contentsOf(whole))
  expect(contents.filter((line) => line.includes('nothing'))).toEqual([])
  expect(JSON.parse((await run(command(file))).output).counts).toMatchObject({ added: 0, unchanged: NOTES })
})
