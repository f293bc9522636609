/** The log as evidence, on the command line. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { folder, runHere } from '../program.ts'

async function written() {
  const place = folder()
  const space = join(place, 'space.sqlite')
  const run = (...args: string[]) => runHere([...args, '--space', space])
  for (const name of ['Robo', 'Anna', 'Ben']) await run('links', 'add', '--name', name, '--no-welcome')
  const key = join(place, 'key.pem')
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key])
  return { place, space, run, key }
}

test('a head proves which log it was made of, and an exported log which entry was forged', async () => {
  const { place, space, run, key } = await written()
  const head = join(place, 'heads.jsonl')
  const exported = join(place, 'log.jsonl')
  writeFileSync(head, (await run('log', 'head', '--key', key)).output)
  writeFileSync(exported, (await run('log', 'export')).output)
  expect(readFileSync(exported, 'utf8').trim().split('\n')).toHaveLength(3)
  const fine = await run('log', 'verify', '--head', head, '--key', key)
  expect(fine.code).toBe(0)
  expect(fine.output).toMatch(
    /^3 entries, 1 to 3: each follows the one before\.\n1 kept head found in the log, unchanged\./,
  )
  const sqlite = new Sqlite(space)
  sqlite.prepare("UPDATE write_log SET endpoint = 'links_list' WHERE n = 2").run()
  sqlite.close()
  const forged = await run('log', 'verify')
  expect(forged.code).toBe(1)
  expect(forged.output).toContain('Entry 2\twhat it says is not what was written')
  const cut = new Sqlite(space)
  cut.exec('DELETE FROM write_log WHERE n > 1')
  cut.close()
  expect(await run('log', 'verify')).toMatchObject({ code: 0, output: expect.stringContaining('1 entry, 1 to 1') })
  const { code, output } = await run('log', 'verify', '--head', exported)
  expect(code).toBe(1)
  expect(output).toContain('Entry 2\tthe log ends at entry 1: what came after it was cut off')
})

test('heads without a key, keys of another kind, and files that have none are refused', async () => {
  const { place, run, key } = await written()
  const other = join(place, 'other.txt')
  writeFileSync(other, 'no head')
  const rsa = join(place, 'rsa.pem')
  execFileSync('openssl', ['genpkey', '-algorithm', 'RSA', '-out', rsa], { stdio: 'pipe' })
  for (const [args, message] of [
    [['log', 'head'], /^Expected a private key as --key, found none;/],
    [['log', 'head', '--key', other], /^Expected an Ed25519 key in PEM as --key, found that .* is none:/],
    [['log', 'head', '--key', rsa], /^Expected an Ed25519 key as --key, found rsa;/],
    [['log', 'verify', '--key', key], /^Expected --head with --key,/],
    [
      ['log', 'verify', '--head', other],
      /^Expected a head of the log on each line of .*, found another text on line 1;/,
    ],
  ] as const) {
    const { code, errors } = await run(...args)
    expect({ args, code }).toEqual({ args, code: 2 })
    expect(errors).toMatch(message)
  }
})
