/** Folders that cannot be read whole. The file system is replaced, since the tests may run as root, who reads all. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openSource } from '../../src/import/open-source.ts'
import { folder } from '../program.ts'

const refused = (code: string, path: unknown) => Promise.reject(Object.assign(new Error(`${code}: ${path}`), { code }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    readdir: (...given: Parameters<typeof real.readdir>) =>
      String(given[0]).endsWith('secret') ? refused('EACCES', 'secret') : real.readdir(...given),
    lstat: (...given: Parameters<typeof real.lstat>) =>
      String(given[0]).endsWith('gone.md') ? refused('ENOENT', 'gone.md') : real.lstat(...given),
  }
})

test('what cannot be read is reported, and the rest is read', async () => {
  const path = folder()
  for (const name of ['ok', 'secret']) mkdirSync(join(path, name))
  for (const name of ['ok/a.md', 'secret/b.md', 'gone.md']) writeFileSync(join(path, name), 'Words.')
  writeFileSync(Buffer.concat([Buffer.from(`${path}/caf`), Buffer.of(0xe9), Buffer.from('.md')]), 'Words.')
  const { files, problems } = await openSource(path, ':memory:')
  expect(files.map((file) => file.path)).toEqual(['ok/a.md'])
  expect(problems.map((problem) => `${problem.path} ${problem.kind}: ${problem.message}`)).toEqual([
    'caf\uFFFD.md left out: Its name is not valid UTF-8: rename it and import again.',
    'secret left out: It is a folder that cannot be read: EACCES: secret.',
    'gone.md left out: It disappeared while the folder was read.',
  ])
})
