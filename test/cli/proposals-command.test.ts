/** Approving on the command line: what a person agrees to is printed in full before. */
import { expect, test } from 'vitest'
import { DIFF_LINES } from '../../src/base/limits.ts'
import { runProposals } from '../../src/cli/proposals-command.ts'
import { connect } from '../connect.ts'

/** Paragraphs, with a blank line between each two, that are more than one part. */
const LINES = DIFF_LINES / 2 + 5

async function proposing() {
  const built = await connect()
  const agent = await connect('full', { to: built, access: 'propose' })
  const { items } = await built.call('documents_add', { documents: [{ title: 'Plan', markdown: 'one' }] })
  const [{ id: plan }] = items
  const propose = async (tool: string, args: object): Promise<string> =>
    (await agent.call(tool, args)).proposal.proposalId
  const asked: { lines: readonly string[]; question: string }[] = []
  const approve = (operand: string, ...answers: boolean[]) =>
    runProposals(built.space, 'approve', operand, {}, async (lines, question) => {
      asked.push({ lines, question })
      return answers.shift() ?? false
    })
  return { ...built, plan, propose, approve, asked }
}

test('all of a long proposal is printed before the question', async () => {
  const { plan, propose, approve, asked, call } = await proposing()
  const lines = Array.from({ length: LINES }, (_, index) => `line ${index}`)
  const id = await propose('blocks_add', { markdown: lines.join('\n\n'), position: { position: 'end', pageId: plan } })
  expect(await approve(id, false)).toMatchObject({ isComplete: false, lines: [['Nothing was approved.']] })
  expect((await call('blocks_get', { id: plan, maxBlocks: 5_000 })).content).toHaveLength(1)
  expect(await approve(id, true)).toMatchObject({ isComplete: true })
  expect((await call('blocks_get', { id: plan, maxBlocks: 5_000 })).content).toHaveLength(lines.length + 1)
  for (const { lines: printed, question } of asked) {
    expect(question).toBe(`Approve ${id}?`)
    expect(printed.filter((line) => line.startsWith('+line '))).toEqual(lines.map((line) => `+${line}`))
    expect(printed).toContain('+position › position: end')
  }
})

test('show prints all parts, and the fingerprint of all of them', async () => {
  const { space, plan, propose } = await proposing()
  const markdown = Array.from({ length: LINES }, (_, index) => `line ${index}`).join('\n\n')
  const id = await propose('blocks_add', { markdown, position: { position: 'end', pageId: plan } })
  const shown = await runProposals(space, 'show', id, {})
  const printed = shown.lines.flat()
  expect(printed.filter((line) => line.startsWith('+line '))).toHaveLength(LINES)
  expect(printed.at(-1)).toMatch(/^Its fingerprint is [0-9a-f]{16}\.$/)
})

test('each of several is printed and asked for, and after a no none that follows', async () => {
  const { propose, approve, asked, call } = await proposing()
  const add = (title: string) => propose('documents_add', { documents: [{ title }] })
  const ids = [await add('First'), await add('Second'), await add('Third')]
  expect(await approve('all', true, false)).toMatchObject({
    isComplete: false,
    value: { items: [{ proposalId: ids[0] }] },
  })
  expect(asked.map(({ question }) => question)).toEqual(ids.slice(0, 2).map((id) => `Approve ${id}?`))
  const titles = (await call('documents_list', {})).items.map(({ title }: { title: string }) => title)
  expect(titles.toSorted()).toEqual(['First', 'Plan'])
})

test('what has changed since is what is printed', async () => {
  const { plan, propose, approve, asked, call } = await proposing()
  const { content } = await call('blocks_get', { id: plan })
  const id = await propose('blocks_delete', { blockIds: [content[0].id] })
  await call('blocks_update', { blocks: [{ id: content[0].id, markdown: 'one, and more' }] })
  expect(await approve(id, true)).toMatchObject({ isComplete: true })
  expect(asked[0]?.lines).toContain('-one, and more')
})

test('the text of a file is printed', async () => {
  const { plan, propose, approve, asked } = await proposing()
  const position = { position: 'end', pageId: plan }
  const id = await propose('files_add', { text: '#!/bin/sh\nrm -rf everything', fileName: 'clean.sh', position })
  expect(await approve(id, true)).toMatchObject({ isComplete: true })
  expect(asked[0]?.lines).toContain('+  | rm -rf everything')
})

test('what the calls name is printed by its name, also what they delete', async () => {
  const { plan, propose, approve, asked, call } = await proposing()
  const { items } = await call('documents_add', { documents: [{ title: 'Archive', markdown: 'old' }] })
  const [{ id: archive }] = items
  const { content } = await call('blocks_get', { id: plan })
  const position = { position: 'end', pageId: archive }
  await propose('blocks_move', { blockIds: [content[0].id], position })
  await propose('documents_delete', { documentIds: [plan] })
  expect(await approve('all', true, true)).toMatchObject({ isComplete: true })
  const printed = asked.flatMap(({ lines }) => lines).join('\n')
  expect(printed).toContain('--- Archive\tbefore\n')
  expect(printed).not.toContain('{}')
  expect(printed).not.toMatch(/^\+document 1: \d+$/m)
})

test('parts are listed with their fingerprints, and decided one by one', async () => {
  const { space, plan, propose, call } = await proposing()
  const markdown = 'two\n\nthree\n\nfour'
  const id = await propose('blocks_add', { markdown, position: { position: 'end', pageId: plan } })
  const printed = (await runProposals(space, 'show', id, {})).lines.flat()
  const parts = printed.flatMap(
    (line) => /^Part (\d+) \(added\): "(\w+)", fingerprint ([0-9a-f]{16})$/.exec(line) ?? [],
  )
  const [, two = '', , agreed = '', , three = ''] = parts
  const done = await runProposals(space, 'approve', id, { part: two, fingerprint: agreed })
  expect(done.lines.flat()).toEqual([
    expect.stringMatching(new RegExp(`^Approved ${id} \\(accepted: 1 of 3\\): "Plan": 1 block added \\(call \\d+\\)$`)),
  ])
  expect((await runProposals(space, 'reject', id, { part: three })).lines.flat()).toEqual([
    `Rejected ${three} of ${id}.`,
  ])
  const asked: string[] = []
  await runProposals(space, 'approve', id, {}, async (lines) => {
    asked.push(...lines)
    return true
  })
  expect(asked).toContain('+four')
  expect(asked).not.toContain('+three')
  const { content } = await call('blocks_get', { id: plan })
  expect(content.map((block: { markdown: string }) => block.markdown)).toEqual(['one', 'two', 'four'])
  await expect(runProposals(space, 'approve', 'all', { part: two })).rejects.toThrow(
    'Expected the ID of one proposal with --part, found all; name the one that it is a part of.',
  )
})
