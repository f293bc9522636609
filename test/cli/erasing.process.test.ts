/** A name that was erased stays erased, also when an older backup comes back: its bytes are not in the file. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, runHere } from '../program.ts'

const NAME = 'Zwetlana Quist'

async function left() {
  const place = folder()
  const space = join(place, 'space.sqlite')
  const run = (...args: string[]) => runHere([...args, '--space', space])
  await run('participants', 'add', NAME, '--handle', 'zwetlana', '--no-welcome')
  const backup = join(place, 'backup.sqlite')
  expect((await run('backup', '--to', backup)).code).toBe(0)
  const id: string = JSON.parse((await run('participants', 'list', '--json')).output)[1].id
  expect((await run('participants', 'remove', id)).code).toBe(0)
  return { place, space, backup, run, id, list: `${space}.erased.jsonl` }
}

const holdsName = (file: string): boolean => /zwetlana/i.test(readFileSync(file, 'latin1'))

test('a name is erased from the file, and again from a backup that is restored', async () => {
  const { space, backup, run, id, list } = await left()
  expect(await run('participants', 'erase', NAME)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Expected a terminal to ask on, found none; nothing was changed. Add --yes'),
  })
  expect([holdsName(space), existsSync(list)]).toEqual([true, false])
  const erased = await run('participants', 'erase', NAME, '--yes')
  expect(erased).toMatchObject({ code: 0, errors: '' })
  expect(erased.output).toMatch(/^Erased the name: /)
  expect(erased.output).toContain('No table of the space has the name any more.')
  expect([holdsName(space), holdsName(list), holdsName(backup)]).toEqual([false, false, true])
  expect(readFileSync(list, 'utf8')).toContain(id)
  expect((await run('log', 'verify')).code).toBe(0)

  const restored = await run('restore', backup)
  expect(restored).toMatchObject({ code: 0, errors: '' })
  expect(restored.output).toContain(`Erased 1 name again, of 1 erasure in ${list}.`)
  expect(holdsName(space)).toBe(false)
  expect((await run('participants', 'list')).output).toMatch(/^Owner\t[^\n]*\n$/)
  expect((await run('log', 'verify')).code).toBe(0)
  expect((await run('participants', 'erase', list, '--again')).output).toContain('Erased 0 names again, of 1 erasure')
})

test('a list that is kept elsewhere is named', async () => {
  const { place, space, backup, run, list } = await left()
  const kept = join(place, 'kept.jsonl')
  expect((await run('participants', 'erase', NAME, '--yes', '--list', kept)).code).toBe(0)
  expect(existsSync(list)).toBe(false)
  expect((await run('restore', backup)).code).toBe(0)
  expect(holdsName(space)).toBe(true)
  const again = await run('participants', 'erase', '--again', kept)
  expect(again.output).toContain(`Erased 1 name again, of 1 erasure in ${kept}.`)
  expect(holdsName(space)).toBe(false)
  const other = join(place, 'other.sqlite')
  await runHere(['participants', 'add', 'Ben', '--space', other, '--no-welcome'])
  copyFileSync(kept, `${other}.jsonl`)
  expect(await runHere(['participants', 'erase', `${other}.jsonl`, '--again', '--space', other])).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 erasure of other spaces left out.'),
  })
  expect(await run('participants', 'erase', '--again', join(place, 'none'))).toMatchObject({ code: 2 })
  expect(await run('participants', 'erase', '--again', backup)).toMatchObject({
    errors: expect.stringContaining('Expected an erasure on each line of'),
  })
})

test('a file that is no list is not added to', async () => {
  const { space, backup, run } = await left()
  const before = readFileSync(backup)
  for (const end of ['', '-wal']) {
    if (!existsSync(`${space}${end}`)) continue
    expect(await run('participants', 'erase', NAME, '--yes', '--list', `${space}${end}`)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Expected a file of its own as --list, found '),
    })
  }
  expect(await run('participants', 'erase', NAME, '--yes', '--list', backup)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Expected an erasure on each line of'),
  })
  expect(readFileSync(backup)).toEqual(before)
  expect(holdsName(space)).toBe(true)
})
