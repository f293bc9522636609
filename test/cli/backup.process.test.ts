/** Backing up and restoring from the command line. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, runHere } from '../program.ts'
import { unpack } from '../schemas/fixtures.ts'

test('a space is backed up, and restored after it was lost', async () => {
  const path = folder()
  const space = join(path, 'space.sqlite')
  const backup = join(path, 'backup.sqlite')
  unpack('29-former', space)
  const at = (...args: string[]) => runHere([...args, '--space', space])
  const holds = String.raw`\d+ documents?, \d+ blocks, 2 files, [\d.]+ [KM]B, verified\.`
  const made = await at('backup', '--to', backup)
  expect(made).toMatchObject({ code: 0, errors: '' })
  expect(made.output).toMatch(new RegExp(`^Backed up ${space} to ${backup}: ${holds}\n$`))
  rmSync(space)
  const restored = await at('restore', backup)
  expect(restored).toMatchObject({ code: 0, errors: '' })
  expect(restored.output).toMatch(
    new RegExp(
      `^Restored ${space} from ${backup}: ${holds}\nAll links and sign-ins have ended; links add and participants add let people in again\\.\n$`,
    ),
  )
  rmSync(`${backup}.sha256`)
  const unverified = await at('restore', backup, '--json')
  expect(JSON.parse(unverified.output)).toMatchObject({ isContentVerified: false, files: 2 })
  expect((await at('restore', backup)).output).toMatch(
    / files, [\d.]+ [KM]B\.\nIts content was not verified, since there are no checksums next to it: it is complete, but a damaged text would not be noticed\.\n/,
  )
  expect((await at('restore')).errors).toBe(
    'Expected one FROM after restore, found none; put what has spaces in quotes.\n',
  )
})
