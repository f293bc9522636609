/** Nothing here needs `/dev/null`, which not every user may open on every machine. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** A stream of a started program that Node connects to the null device, and the device itself. */
const NEEDS_IT = /\/dev\/null|devNull|\b(?:stdio|stdin|stdout|stderr)\b[^;]{0,100}['"]ignore['"]/
/** Tests that name the device as a file that must be refused, and files that explain this. */
const MENTIONS = [
  // Read by people, who have a shell.
  'examples/curl/first-calls.sh',
  'src/cli/open-command.ts',
  'test/cli/open-browser.process.test.ts',
  'test/null-device.test.ts',
  'test/package/protocol.slow.test.ts',
  'test/storage/local-files.test.ts',
  'test/support/unread.ts',
]

test('no file of the program, its tests and its scripts uses /dev/null', () => {
  const folders = '{.ci,deploy,examples,scripts,src,storage,test,tools}'
  const files = globSync([`${folders}/**/*.{ts,js,sh,c}`, '.ci/*', 'Dockerfile', 'compose.yaml', 'deploy/*'], {
    cwd: root,
    withFileTypes: true,
  }).filter((entry) => entry.isFile())
  const using = files.flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name)
    return NEEDS_IT.test(readFileSync(path, 'utf8')) ? [path.slice(root.length + 1)] : []
  })
  expect([...new Set(using)].sort()).toEqual(MENTIONS)
})
