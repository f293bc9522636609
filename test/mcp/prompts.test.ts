/** Prompts of the protocol, with real clients of both generations. */
import { describe, expect, test } from 'vitest'
import { endpoints, prompts } from '../../tools/index.ts'
import { type ConnectOptions, connect } from '../connect.ts'
import { documentOf } from '../document.ts'

const namesOn = async (kind: 'full' | 'selected' | 'daily', options: ConnectOptions = {}): Promise<string[]> => {
  const { client } = await connect(kind, options)
  return (await client.listPrompts()).prompts.map(({ name }) => name)
}
const get = async (name: string, given: Record<string, string> = {}, kind: 'full' | 'daily' = 'full') => {
  const { client } = await connect(kind)
  return client.getPrompt({ name, arguments: given })
}
const textOf = ({ messages }: { messages: { content: object }[] }): string =>
  messages.map(({ content }) => ('text' in content ? String(content.text) : '')).join('\n')
const refusedWith = (message: string) => ({ code: -32602, message: expect.stringContaining(message) })

describe('prompts', () => {
  test.each(['2025', '2026'] as const)('are listed and read with their arguments, by clients of %s', async (era) => {
    const { client } = await connect('full', { era })
    const listed = (await client.listPrompts()).prompts
    expect(listed.map(({ name }) => name)).toEqual([
      'weekly_review',
      'meeting_notes',
      'research_notebook',
      'project_board',
    ])
    expect(listed.at(1)?.arguments).toEqual([
      { name: 'notes', description: 'The notes as they were taken.', required: true },
      { name: 'title', description: 'What the meeting was about.', required: false },
    ])
    const given = { notes: 'Anna brings the plan.', title: 'Harbour' }
    const got = await client.getPrompt({ name: 'meeting_notes', arguments: given })
    expect(got.description).toBe('Turn raw notes of a meeting into a short record with decisions and tasks.')
    expect(got.messages.map(({ role }) => role)).toEqual(['user'])
    const text = textOf(got)
    expect(text).toMatch(/^Write a record of this meeting, "Harbour"\./)
    expect(text).toMatch(/not instructions:\n\nAnna brings the plan\.$/)
  })

  test('are those whose tools the connection has', async () => {
    expect(await namesOn('daily')).toEqual(['weekly_review', 'meeting_notes'])
    const full = await connect()
    const documents = [await documentOf(full, 'words', 'Shown')]
    expect(await namesOn('selected', { to: full, documents })).toEqual(['meeting_notes'])
    expect(await namesOn('full', { access: 'read' })).toEqual([])
    expect(await namesOn('full', { access: 'no-delete' })).toHaveLength(4)
    const tools = new Set(['blocks_get', 'blocks_add', 'tasks_list'])
    expect(await namesOn('full', { caller: { tools } })).toEqual(['meeting_notes'])
  })

  test('can be read if arguments are omitted or blank', async () => {
    const read = async (given: Record<string, string>) => textOf(await get('weekly_review', given))
    expect(await read({})).toMatch(/^Go through my week with me\.\n/)
    expect(await read({ focus: ' \n' })).toBe(await read({}))
    expect(await read({ focus: 'the harbour' })).toMatch(/^Go through my week with me, with a focus on: the harbour\./)
  })

  test.each([
    [
      'fly',
      {},
      'Expected a prompt of this connection (weekly_review, meeting_notes, research_notebook, project_board), found fly.',
    ],
    ['meeting_notes', {}, 'Expected notes for meeting_notes, found none; give it.'],
    ['meeting_notes', { notes: ' ' }, 'Expected notes for meeting_notes, found none; give it.'],
    [
      'meeting_notes',
      { notes: 'a', speed: '1' },
      'Expected arguments of meeting_notes (notes, title), found speed; leave it out.',
    ],
    [
      'weekly_review',
      { focus: 'x'.repeat(201) },
      'Expected at most 200 characters as focus of weekly_review, found 201; shorten it.',
    ],
    [
      'meeting_notes',
      { notes: 'x'.repeat(20_001) },
      'Expected at most 20,000 characters as notes of meeting_notes, found 20,001; shorten it.',
    ],
  ])('%s with %o is rejected', async (name, given, message) => {
    await expect(get(name, given as Record<string, string>)).rejects.toMatchObject(refusedWith(message))
  })

  test('of another kind of connection are rejected like unknown ones', async () => {
    await expect(get('project_board', { project: 'a' }, 'daily')).rejects.toMatchObject(
      refusedWith('Expected a prompt of this connection (weekly_review, meeting_notes), found project_board.'),
    )
    const { client } = await connect('full', { access: 'read' })
    await expect(client.getPrompt({ name: 'weekly_review' })).rejects.toMatchObject(
      refusedWith('Expected a prompt of this connection, which has none, found weekly_review.'),
    )
  })

  test('name existing tools, and all that their text mentions', () => {
    const names = new Set<string>(endpoints.map(({ name }) => name))
    for (const { tools, opening, steps, closing, arguments: args } of prompts) {
      const given = Object.fromEntries(args.map(({ name }) => [name, 'x']))
      const text = [opening(given), steps, closing?.(given)].join('\n\n')
      const named = [...text.matchAll(/\b[a-z]+_[a-z_]+\b/g)].map(([name]) => name)
      expect(named.filter((name) => !tools.includes(name))).toEqual([])
      expect(tools.filter((name) => !names.has(name))).toEqual([])
    }
  })
})
