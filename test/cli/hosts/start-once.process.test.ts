/** `install` starts the entry once before it writes it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, run } from '../../program.ts'

function machine() {
  const home = folder()
  const config = join(home, 'mcp.json')
  const install = (...args: string[]) => run(['install', 'cursor', '--host-config', config, '--yes', ...args])
  return { home, config, install }
}

test('an entry that starts is written, with how many tools and documents it has', async () => {
  const { home, config, install } = machine()
  const { code, output } = await install('--space', join(home, 'space.sqlite'))
  expect(code).toBe(0)
  expect(output).toMatch(/^It starts: \d+ tools, a new space\.$/m)
  expect(JSON.parse(readFileSync(config, 'utf8')).mcpServers.scriptorium.args).toContain('stdio')
  const again = await install('--space', join(home, 'space.sqlite'), '--tools', 'all')
  expect(again.output).toMatch(/^It starts: \d+ tools, a space of 1 document\.$/m)
})

test('an entry that cannot start is not written, and its own message says why', async () => {
  const { home, config, install } = machine()
  const place = join(home, 'folder')
  mkdirSync(place)
  writeFileSync(join(home, 'other.sqlite'), 'no space at all')
  for (const args of [
    ['--space', place],
    ['--space', join(home, 'other.sqlite')],
    ['--space', join(home, 'space.sqlite'), '--kind', 'selected', '--documents', '100000000001'],
    ['--space', join(home, 'space.sqlite'), '--link', '12c0ffee-0000-4000-8000-000000000000'],
  ]) {
    const { code, errors } = await install(...args)
    expect({ args, code }).toEqual({ args, code: 2 })
    expect(errors).toMatch(
      /Expected the entry to start, found this: .+ Nothing was written; install again once it starts\.\n$/,
    )
    expect(existsSync(config)).toBe(false)
  }
})
