/** An export that is killed and repeated writes the same files as one without an interruption. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { folder, run, start } from '../program.ts'

const NOTES = 150

const countFiles = (path: string): number =>
  existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.md')).length : 0

function countDocuments(file: string): number {
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

/** The texts of an export by path, without its own data. */
const textsIn = (path: string): Map<string, string> =>
  new Map(
    readdirSync(path)
      .filter((name) => name !== '.scriptorium')
      .sort()
      .map((name) => [name, readFileSync(join(path, name), 'utf8')]),
  )

test('killed at any moment and repeated, it leaves no file alone, and nothing behind', async () => {
  const notes = folder()
  for (let index = 0; index < NOTES; index++) writeFileSync(join(notes, `Note ${index}.md`), `Text ${index}.\n`)
  const space = ['--space', join(folder(), 'space.sqlite')]
  expect((await run(['import', notes, ...space, '--no-welcome'])).code).toBe(0)
  const [target, zip] = [join(folder(), 'out'), join(folder(), 'out.zip')]
  for (const most of [1, 40, 90]) {
    const running = start(['export', '--to', target, ...space])
    let isOver = false
    running.child.once('close', () => {
      isOver = true
    })
    while (!isOver && countFiles(target) < most) await new Promise((resolve) => setImmediate(resolve))
    await running.end('SIGKILL')
  }
  const last = JSON.parse((await run(['export', '--to', target, ...space, '--json'])).output)
  expect([last.counts.kept, last.problems]).toEqual([0, []])
  const whole = join(folder(), 'whole')
  await run(['export', '--to', whole, ...space])
  expect(textsIn(target)).toEqual(textsIn(whole))
  expect(JSON.parse((await run(['export', '--to', target, ...space, '--json'])).output).counts).toEqual({
    ...{ written: 0, unchanged: NOTES, removed: 0, kept: 0 },
  })
  expect(readdirSync(join(target, '.scriptorium')).filter((name) => !name.endsWith('.part'))).toEqual(['manifest.json'])

  const zipping = start(['export', '--to', zip, ...space])
  const isBegun = () => readdirSync(join(zip, '..')).length > 0
  while (!isBegun()) await new Promise((resolve) => setImmediate(resolve))
  await zipping.end('SIGKILL')
  if (!existsSync(zip)) expect((await run(['export', '--to', zip, ...space])).code).toBe(0)
  expect(existsSync(zip)).toBe(true)
}, 120_000)

test('stopped by a signal, export and import say how far they came, and go on when they are run again', async () => {
  const notes = folder()
  for (let index = 0; index < NOTES; index++) writeFileSync(join(notes, `Note ${index}.md`), `Text ${index}.\n`)
  const file = join(folder(), 'space.sqlite')
  const space = ['--space', file, '--no-welcome']
  const importing = start(['import', notes, ...space])
  while (countDocuments(file) < 1) await new Promise((resolve) => setImmediate(resolve))
  expect(await importing.end('SIGINT')).toBe(1)
  expect(importing.output()).toMatch(/^Stopped after \d+ of 150; run it again to go on\./m)
  expect(JSON.parse((await run(['import', notes, ...space, '--json'])).output).counts).toMatchObject({ conflicts: 0 })
  const target = join(folder(), 'out')
  const exporting = start(['export', '--to', target, '--space', file])
  while (countFiles(target) < 1) await new Promise((resolve) => setImmediate(resolve))
  await exporting.end('SIGTERM')
  expect(exporting.output()).toMatch(/^(?:Stopped after \d+ of 150; run it again to go on\.|Exported 150 )/m)
  const again = JSON.parse((await run(['export', '--to', target, '--space', file, '--json'])).output)
  expect([again.documents, again.counts.kept]).toEqual([NOTES, 0])
}, 120_000)
