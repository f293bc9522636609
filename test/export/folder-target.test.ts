/** What an export may overwrite, and how files are named. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NameRegistry, safeName } from '../../src/export/export-target.ts'
import { openFolderTarget } from '../../src/export/folder-target.ts'
import { MANIFEST, readFolderManifest } from '../../src/import/own/export-manifest.ts'
import { folder } from '../program.ts'

/** Exports texts. Returns the report. */
async function exported(path: string, files: Record<string, string>, space = 'space') {
  const target = await openFolderTarget(path, space)
  for (const [file, text] of Object.entries(files)) await target.write({ path: file }, text)
  await target.finish()
  return { counts: target.counts, left: target.problems.map((problem) => problem.path) }
}

const read = (path: string, file: string): string => readFileSync(join(path, file), 'utf8')
const counts = (written: number, unchanged = 0, removed = 0, kept = 0) => ({ written, unchanged, removed, kept })

test('changed files are written, obsolete ones are removed with their empty folders, and the rest stays', async () => {
  const path = join(folder(), 'out')
  expect(await exported(path, { 'a.md': '1', 'box/b.md': '2', 'c.md': '3' })).toEqual({ counts: counts(3), left: [] })
  utimesSync(join(path, 'a.md'), 1, 1)
  expect(await exported(path, { 'a.md': '1', 'c.md': '4' })).toEqual({ counts: counts(1, 1, 1), left: [] })
  expect(readdirSync(path).sort()).toEqual(['.scriptorium', 'a.md', 'c.md'])
  expect([read(path, 'c.md'), statSync(join(path, 'a.md')).mtimeMs]).toEqual(['4', 1000])
})

describe('never replaced or removed', () => {
  test('is a file that no export wrote', async () => {
    const path = folder()
    writeFileSync(join(path, 'a.md'), 'mine')
    expect(await exported(path, { 'a.md': 'theirs' })).toEqual({ counts: counts(0, 0, 0, 1), left: ['a.md'] })
    expect(await exported(path, {})).toEqual({ counts: counts(0), left: [] })
    expect(read(path, 'a.md')).toBe('mine')
  })

  test('is a file that was changed since', async () => {
    const path = folder()
    await exported(path, { 'a.md': '1', 'b.md': '2' })
    for (const file of ['a.md', 'b.md']) writeFileSync(join(path, file), 'mine, and longer')
    expect(await exported(path, { 'a.md': '3' })).toEqual({ counts: counts(0, 0, 0, 2), left: ['a.md', 'b.md'] })
    expect([read(path, 'a.md'), read(path, 'b.md')]).toEqual(['mine, and longer', 'mine, and longer'])
  })

  test('is a symlink or folder in place of a file, or a file in place of a folder', async () => {
    const path = folder()
    const outside = folder()
    writeFileSync(join(outside, 'a.md'), 'mine')
    symlinkSync(join(outside, 'a.md'), join(path, 'a.md'))
    mkdirSync(join(path, 'b.md'))
    expect((await exported(path, { 'a.md': '1', 'b.md': '2' })).left).toEqual(['a.md', 'b.md'])
    symlinkSync(outside, join(path, 'box'))
    await expect(exported(path, { 'box/new.md': '1' })).rejects.toThrow(
      `Expected a folder at ${join(path, 'box')}, found something else; move it away, or export to another folder.`,
    )
    expect([read(outside, 'a.md'), existsSync(join(outside, 'new.md'))]).toEqual(['mine', false])
  })
})

describe('an export that was interrupted', () => {
  const JOURNAL = '.scriptorium/journal.jsonl'
  /** Writes files and ends without a trace, as a process that is killed. */
  async function interrupted(path: string, files: Record<string, string>) {
    const target = await openFolderTarget(path, 'space')
    for (const [file, text] of Object.entries(files)) await target.write({ path: file }, text)
    return target
  }

  test('knows its files when it is repeated, and replaces them', async () => {
    const path = join(folder(), 'out')
    await interrupted(path, { 'a.md': '1', 'box/b.md': '2' })
    expect(await exported(path, { 'a.md': '1', 'box/b.md': '3' })).toEqual({ counts: counts(1, 1), left: [] })
    expect(await exported(path, { 'a.md': '4' })).toEqual({ counts: counts(1, 0, 1), left: [] })
    expect(readdirSync(join(path, '.scriptorium'))).toEqual(['manifest.json'])
  })

  test('knows a file that it noted but did not write, and removes what is no longer exported', async () => {
    const path = folder()
    await exported(path, { 'a.md': '1', 'b.md': '1' })
    const state = { hash: 'other', size: 1, time: 1 }
    writeFileSync(
      join(path, JOURNAL),
      `["file","a.md",${JSON.stringify(state)}]\n["file","new.md",${JSON.stringify(state)}`,
    )
    expect(await exported(path, { 'a.md': '2' })).toEqual({ counts: counts(1, 0, 1), left: [] })
  })

  test('twice knows the files of both', async () => {
    const path = folder()
    await interrupted(path, { 'a.md': '1' })
    appendFileSync(join(path, JOURNAL), '["file","b.m')
    await interrupted(path, { 'b.md': '1' })
    expect(await exported(path, { 'a.md': '2', 'b.md': '2' })).toEqual({ counts: counts(2), left: [] })
  })

  test('leaves what was changed since, in the folder or in its document', async () => {
    const path = folder()
    await interrupted(path, { 'a.md': '1' })
    writeFileSync(join(path, 'a.md'), 'mine')
    expect(await exported(path, { 'a.md': '2' })).toEqual({ counts: counts(0, 0, 0, 1), left: ['a.md'] })
  })

  test('by a fault leaves no part of a file, and records what it wrote', async () => {
    const path = folder()
    const target = await interrupted(path, { 'a.md': '1' })
    async function* failing() {
      yield Buffer.from('half')
      throw new Error('The disk is full.')
    }
    await expect(target.write({ path: 'b.png' }, failing())).rejects.toThrow('The disk is full.')
    await target.abort()
    expect(readdirSync(path, { recursive: true }).sort()).toEqual(['.scriptorium', MANIFEST, 'a.md'])
    expect(await exported(path, { 'a.md': '2' })).toEqual({ counts: counts(1), left: [] })
  })

  test('belongs to its space from its first file on', async () => {
    const path = folder()
    await interrupted(path, { 'a.md': '1' })
    await expect(openFolderTarget(path, 'other')).rejects.toThrow('found the export of another space')
  })
})

test('a document of which a file was left alone keeps the state that the file is based on', async () => {
  const path = folder()
  const state = { path: 'a.md', location: 'unsorted', folder: null, parts: {} }
  const exportAt = async (revision: number, text: string) => {
    const target = await openFolderTarget(path, 'space')
    await target.write({ path: 'a.md' }, text)
    await target.noteDocument('7', { ...state, revision })
    await target.finish()
    return (await readFolderManifest(path))?.documents.get('7')?.revision
  }
  expect(await exportAt(1, '1')).toBe(1)
  writeFileSync(join(path, 'a.md'), 'mine')
  expect(await exportAt(2, '2')).toBe(1)
  writeFileSync(join(path, 'a.md'), '1')
  expect(await exportAt(3, '3')).toBe(3)
})

test('a folder belongs to one space, and a file is rejected', async () => {
  const path = folder()
  await exported(path, { 'a.md': '1' })
  await expect(exported(path, {}, 'other')).rejects.toThrow(
    `Expected a folder for this space, found the export of another space in ${path}; name another.`,
  )
  await expect(exported(join(path, 'a.md'), {})).rejects.toThrow(
    `Expected a folder to export to, found ${join(path, 'a.md')}, which is none; name another.`,
  )
  writeFileSync(join(path, '.scriptorium/manifest.json'), '[]')
  await expect(exported(path, {})).rejects.toThrow(/^Expected the manifest of an export in .+, found something else/)
})

describe('names', () => {
  test.each([
    ['Plan', 'Plan'],
    ['a/b\\c:d*e?"f<g>h|i', 'a b c d e f g h i'],
    ['con', '_con'],
    ['LPT1.txt', '_LPT1.txt'],
    ['.hidden', 'hidden'],
    ['ends in dots...', 'ends in dots'],
    ['  spaces \n and\ttabs ', 'spaces and tabs'],
    ['', 'Untitled'],
    ['???', 'Untitled'],
    ['[[a#b^c]]', 'a b c'],
    ['Cafe\u0301', 'Café'],
    ['计划'.repeat(100), '计划'.repeat(30)],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
  ])('%j becomes %j', (text, name) => expect(safeName(text)).toBe(name))

  test('never differ only in case or Unicode form', () => {
    const names = new NameRegistry()
    const take = (name: string) => names.assign('box', name, '.md')
    expect(['Plan', 'plan', 'PLAN', 'Café', 'Cafe\u0301'].map(take)).toEqual([
      ...['box/Plan.md', 'box/plan 2.md', 'box/PLAN 3.md', 'box/Café.md', 'box/Café 2.md'],
    ])
    expect(names.assign('', 'Plan', '.md')).toBe('Plan.md')
  })
})
