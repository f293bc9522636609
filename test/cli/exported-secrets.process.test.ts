/** Exports of a whole space on the command line: their passphrase, and what they cannot be imported as. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, runHere } from '../program.ts'

const PASSPHRASE = 'correct horse battery\n'

/** Runs the program without a welcome document. */
const scriptorium = (args: readonly string[], input = '') => runHere([...args, '--no-welcome'], {}, input)

test('a passphrase encrypts the secrets of an export, and decrypts them when a space is made of it', async () => {
  const path = folder()
  const space = ['--space', join(path, 'space.sqlite')]
  await scriptorium(['links', 'add', '--webhook', 'https://hooks.example/a', ...space])
  const out = join(path, 'out')
  const exported = await runHere(['export', '--as', 'json', '--to', out, '--passphrase', ...space], {}, PASSPHRASE)
  expect([exported.code, exported.errors]).toEqual([0, ''])
  const importing = (name: string, more: readonly string[], input: string) =>
    runHere(['import', out, '--space', join(path, name), ...more], {}, input)
  const refused = await importing('wrong.sqlite', ['--passphrase'], 'wrong horse battery\n')
  expect([refused.code, refused.errors]).toEqual([
    2,
    'Expected the passphrase of this export, found another; nothing was made, try again.\n',
  ])
  const whole = await importing('whole.sqlite', ['--passphrase'], PASSPHRASE)
  expect([whole.code, whole.errors]).toEqual([0, ''])
  const without = await importing('without.sqlite', [], '')
  expect(without.code).toBe(1)
  expect(without.output).toContain(
    'scriptorium.json: The secrets in the export are encrypted, and no --passphrase was given',
  )
  expect(without.output).toMatch(/webhook wh_\w+: It has a new secret, whsec_\S+, and is paused/)
  const list = await runHere(['webhooks', 'list', '--space', join(path, 'without.sqlite')])
  expect(list.output).toContain('its secret was not in the export')
})

test('without a passphrase, the command names what an export lacks', async () => {
  const path = folder()
  const space = ['--space', join(path, 'space.sqlite')]
  await scriptorium(['links', 'add', '--webhook', 'https://hooks.example/a', ...space])
  const { code, output } = await runHere(['export', '--as', 'json', '--to', join(path, 'out'), ...space])
  expect(code).toBe(1)
  expect(output).toContain('The keys of the space, and the answers that are kept for retries, are left out')
  expect(output).toMatch(/The secret of a webhook is left out; --passphrase encrypts it \(1\)\n {2}webhook wh_\w+\n/)
})

test('the export of a space is not imported as documents', async () => {
  const path = folder()
  const [out, space] = [join(path, 'old', 'out'), ['--space', join(path, 'space.sqlite')]]
  await scriptorium(['links', 'add', ...space])
  mkdirSync(join(path, 'old'))
  await runHere(['export', '--as', 'json', '--to', out, ...space])
  writeFileSync(join(path, 'old', 'a.md'), 'A note.\n')
  for (const from of [out, join(path, 'old')]) {
    const { code, errors } = await runHere(['import', from, '--as', 'obsidian', ...space])
    expect([code, errors]).toEqual([2, expect.stringContaining('found the export of a whole space, ')])
  }
  // Not into a space that is made for it either.
  const made = join(path, 'made.sqlite')
  expect((await runHere(['import', join(path, 'old'), '--space', made])).code).toBe(2)
  expect(existsSync(made)).toBe(false)
})

test.each([
  [
    ['export', '--to', 'out', '--passphrase'],
    'Expected --as json with --passphrase, found obsidian, which has no secrets; leave --passphrase out.',
  ],
  [
    ['export', '--to', 'out', '--watch', '--passphrase'],
    'Expected --as json with --passphrase, found --watch; leave --passphrase out.',
  ],
  [
    ['export', '--to', 'out', '--as', 'json', '--passphrase'],
    'Expected a passphrase as the first line of standard input, found none; nothing was changed.',
  ],
  [
    ['import', 'notes', '--passphrase'],
    'Expected the export of a whole space with --passphrase, found documents; leave --passphrase out.',
  ],
])('%j is refused', async (args, message) => {
  const path = folder()
  const space = join(path, 'space.sqlite')
  await scriptorium(['links', 'add', '--space', space])
  mkdirSync(join(path, 'notes'))
  writeFileSync(join(path, 'notes', 'a.md'), 'A note.\n')
  const at = args.map((one) => (one === 'out' || one === 'notes' ? join(path, one) : one))
  expect(await runHere([...at, '--space', space])).toMatchObject({ code: 2, errors: `${message}\n` })
})
