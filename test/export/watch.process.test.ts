/** A folder that is kept up to date with a space. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ExportReport } from '../../src/export/export-report.ts'
import { watchExport } from '../../src/export/watch-export.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { png } from '../picture.ts'
import { folder } from '../program.ts'
import { filesIn } from './vault-exports.ts'

/** Exports to a folder, and waits for each report in turn. */
async function watched() {
  const connected = await connect()
  const path = folder()
  const ending = new AbortController()
  const reports: ExportReport[] = []
  let arrived = () => {}
  /** The report of the next export that changed anything. */
  const next = async (): Promise<ExportReport['counts']> => {
    for (;;) {
      while (reports.length === 0) await new Promise<void>((resolve) => (arrived = resolve))
      const { counts } = reports.shift() as ExportReport
      if (counts.written + counts.removed + counts.kept > 0) return counts
    }
  }
  const begin = () => {
    const options = { format: 'obsidian', documents: [], now: 0 } as const
    const done = watchExport(connected.space, path, options, ending.signal, (report) => {
      reports.push(report)
      arrived()
    })
    onTestFinished(async () => {
      ending.abort()
      await done
    })
  }
  const read = (file: string) => readFileSync(join(path, file), 'utf8')
  return { ...connected, connected, path, begin, next, read }
}

test('only changed documents are written, and their files stay', async () => {
  const { connected, call, begin, next, read, path } = await watched()
  const plan = await documentOf(connected, 'First.', 'Plan')
  const other = await documentOf(connected, `See [plan](block://${plan}).`, 'Other')
  const data = png(3, 2).toString('base64')
  await call('files_add', { fileName: 'dot.png', data, position: { position: 'end', pageId: other } })
  begin()
  expect(await next()).toEqual({ written: 3, unchanged: 0, removed: 0, kept: 0 })
  await call('blocks_add', { markdown: 'Second.', position: { position: 'end', pageId: plan } })
  expect(await next()).toEqual({ written: 1, unchanged: 2, removed: 0, kept: 0 })
  expect(read('Plan.md')).toMatch(/First\.\n\nSecond\.\n$/)
  await call('blocks_update', { blocks: [{ id: plan, title: 'Scheme' }] })
  expect(await next()).toEqual({ written: 2, unchanged: 1, removed: 1, kept: 0 })
  expect(filesIn(path)).toEqual(['Other.md', 'Scheme.md', 'assets/dot.png'])
  expect(read('Other.md')).toContain('[plan](Scheme.md)')
  await call('documents_delete', { documentIds: [other] })
  expect(await next()).toEqual({ written: 0, unchanged: 1, removed: 2, kept: 0 })
})

test('files that someone changed in the folder are left alone', async () => {
  const { connected, call, begin, next, read, path } = await watched()
  const plan = await documentOf(connected, 'First.', 'Plan')
  begin()
  await next()
  writeFileSync(join(path, 'Plan.md'), 'Mine.')
  await call('blocks_add', { markdown: 'Second.', position: { position: 'end', pageId: plan } })
  expect(await next()).toEqual({ written: 0, unchanged: 0, removed: 0, kept: 1 })
  expect(read('Plan.md')).toBe('Mine.')
})
