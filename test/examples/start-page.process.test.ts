/** The commands of docs/start.md, as they stand, in an empty folder. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startServe } from '../http/serve-process.ts'
import { folder, root } from '../program.ts'

const PAGE = readFileSync(join(root, 'docs/start.md'), 'utf8')
/** Commands that go on until they are stopped, ask a person, or belong to a host; each has tests of its own. */
const OTHERS = /^scriptorium (serve|open|install|links add)/
const commands = [...PAGE.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)]
  .map(([, code = '']) => code.replace(/^ {3}/gm, '').trim())
  .filter((code) => !OTHERS.test(code))

test('each command does what the page says', async () => {
  const path = folder()
  const script = inject('bundledProgram')
  const { restUrl, close } = await startServe(join(path, 'my-space.sqlite'), [], [], { script, cwd: path })
  onTestFinished(close)
  mkdirSync(join(path, 'Notes'))
  writeFileSync(join(path, 'Notes/Launch.md'), 'Ship it')
  const programs = join(path, 'bin')
  mkdirSync(programs)
  writeFileSync(join(programs, 'scriptorium'), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`)
  chmodSync(join(programs, 'scriptorium'), 0o755)
  const env = { ...process.env, REST_URL: restUrl, HOME: path, PATH: `${programs}${delimiter}${process.env.PATH}` }
  const outputs: string[] = []
  for (const command of commands) {
    outputs.push((await promisify(execFile)('sh', ['-ec', command], { cwd: path, env })).stdout)
  }
  const [note = '', found = '', backup = '', imported = '', ...others] = outputs
  expect(others).toEqual([])
  expect(note).toContain('- [ ] Write release notes')
  expect(found).toMatch(/Write \*\*release\*\* notes[\s\S]*- \[ \] Write release notes[\s\S]*blocks_add/)
  expect(backup).toContain('backups')
  expect(imported).toMatch(/1 new document/)
})
