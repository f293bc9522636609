/** What administrators do is in the log: who, from where, and over what. */
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, runHere, startServe } from '../program.ts'

interface Entry {
  endpoint: string
  ids: string[]
  author: string
  origin?: string
  about?: Record<string, unknown>
}

const HERE = `${userInfo().username}@${hostname()}`

async function logOf(space: string): Promise<Entry[]> {
  const { output } = await runHere(['log', '--space', space, '--json'])
  return output
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

test('each change of links, people, groups, settings and files has an entry with its origin', async () => {
  const place = folder()
  const space = join(place, 'space.sqlite')
  const run = async (...args: string[]) => {
    const { code, output, errors } = await runHere([...args, '--space', space])
    expect({ args, code, errors }).toMatchObject({ args, code: 0 })
    return output
  }
  const { id } = JSON.parse(await run('links', 'add', '--name', 'Robo', '--access', 'read', '--no-welcome', '--json'))
  await run('links', 'pause', id)
  await run('links', 'resume', id)
  await run('links', 'events', id, 'off')
  await run('links', 'revoke', id)
  await run('participants', 'add', 'Anna')
  await run('members', 'update', 'Anna', '--handle', 'anna')
  await run('groups', 'add', 'Editors', '--add', '@anna')
  await run('groups', 'remove', 'Editors')
  await run('settings', '--timezone', 'Asia/Tokyo')
  await run('export', '--to', join(place, 'notes'))
  await run('import', join(place, 'notes'))
  await run('backup', '--to', join(place, 'backups'))
  await run('participants', 'remove', 'Anna')
  const entries = (await logOf(space)).filter(({ origin }) => origin !== undefined)
  for (const { origin } of entries) expect(origin).toBe(HERE)
  expect(entries.map(({ endpoint, about = {} }) => [endpoint, about])).toMatchObject([
    ['links_add', { kind: 'full', access: 'read', name: 'Robo' }],
    ['links_pause', { isPaused: true }],
    ['links_pause', { isPaused: false }],
    ['links_events', { events: 'off' }],
    ['links_revoke', {}],
    ['participants_add', { name: 'Anna' }],
    ['members_update', { handle: 'anna' }],
    ['groups_add', { name: 'Editors', add: ['@anna'] }],
    ['groups_remove', { name: 'Editors' }],
    ['settings_update', { timezone: 'Asia/Tokyo' }],
    ['export', { format: 'obsidian' }],
    ['import', { outcome: 'done' }],
    ['backup', { to: expect.stringContaining('backups') }],
    ['participants_remove', {}],
  ])
  expect(JSON.stringify(entries)).not.toContain('secret')
  // What changes no document, and nothing that may write, wakes no one.
  const { items: history }: { items: { tool: string }[] } = JSON.parse(await run('history', '--json'))
  const tools = history.map(({ tool }) => tool)
  expect(
    tools.filter((tool) => /^(links_add|links_events|participants_add|members|groups|settings)/.test(tool)),
  ).toEqual([])
  expect(tools).toContain('links_pause')
})

test('failed sign-ins are one counted entry for each address, and a link that opens the pages is one', async () => {
  const space = join(folder(), 'space.sqlite')
  const { output } = await runHere(['links', 'add', '--space', space, '--no-welcome', '--json'])
  const { secret } = JSON.parse(output)
  const server = await startServe('--space', space)
  const wrong = `${secret.slice(0, -4)}aaaa`
  for (const _ of Array(7)) await fetch(`${server.origin}/links/${wrong}/api/v1/documents`)
  await fetch(`${server.origin}/links/${secret}/view`, { redirect: 'manual' })
  await server.end()
  const entries = (await logOf(space)).filter(({ endpoint }) => endpoint.startsWith('sign_in'))
  expect(entries).toMatchObject([
    { endpoint: 'sign_in', origin: '127.0.0.1', about: { with: 'link' } },
    { endpoint: 'sign_in_failed', author: 'unknown', origin: '127.0.0.1', about: { failed: { link: 7 } } },
  ])
})
