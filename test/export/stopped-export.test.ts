import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportLines } from '../../src/export/export-report.ts'
import { runExport } from '../../src/export/run-export.ts'
import { connect } from '../connect.ts'
import { folder } from '../program.ts'

const stoppedAfterOne = async (target: string) => {
  const { call, space } = await connect()
  await call('documents_add', { documents: [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }] })
  const ending = new AbortController()
  const options = { format: 'obsidian' as const, documents: [], now: 0, signal: ending.signal }
  return exportLines(await runExport(space, target, { ...options, onProgress: () => ending.abort() }))
}

test('an export to a zip that is stopped keeps nothing, and says so', async () => {
  const place = folder()
  expect(await stoppedAfterOne(join(place, 'all.zip'))).toEqual([
    'Stopped after 1 of 3, and wrote no zip; run it again to export everything from the beginning.',
  ])
  expect(readdirSync(place)).toEqual([])
})

test('an export to a folder that is stopped keeps what it wrote', async () => {
  const place = folder()
  const [first] = await stoppedAfterOne(place)
  expect(first).toBe('Stopped after 1 of 3; run it again to go on.')
  expect(readdirSync(place)).toContain('One.md')
})
