/** A person decides on the command line about proposals of an agent in another process. */
import { expect, test } from 'vitest'
import { connectProcess, folder, runHere, structured } from '../program.ts'

test('what an agent proposed over stdio is listed, shown, approved and rejected', async () => {
  const file = `${folder()}/space.sqlite`
  const agent = await connectProcess(file, '--access', 'propose')
  const at = (...words: string[]) => runHere(['proposals', ...words, '--space', file])
  expect((await at('list')).output).toBe('No proposals.\n')
  const add = async (title: string) =>
    (await structured(agent, 'documents_add', { documents: [{ title, markdown: 'words' }] })).proposal.proposalId
  const [first, second] = [await add('First'), await add('Second\u001b[2J')]
  const listed = (await at('list')).output.split('\n')
  expect(listed[0]).toMatch(
    new RegExp(
      `^\\S+Z Owner \\(\\S+\\) documents_add "Second\\S+": added, 1 block added \\(proposal ${second}, waiting\\)$`,
    ),
  )
  expect(listed.join('')).not.toContain('\u001b')
  const shown = (await at('show', first)).output
  expect(shown).toContain('\n+words\n')
  expect(shown).toMatch(/Its fingerprint is [0-9a-f]{16}\.\n$/)
  const [, fingerprint = ''] = /Its fingerprint is ([0-9a-f]{16})/.exec(shown) ?? []
  expect((await at('approve', second)).errors).toBe(
    `Expected a terminal to ask on, found none; nothing was changed. Read it with scriptorium proposals show ${second}, and name its fingerprint as --fingerprint.\n`,
  )
  expect((await at('approve', first)).errors).toBe(
    `Expected a terminal to ask on, found none; nothing was changed. Read it with scriptorium proposals show ${first}, and name its fingerprint as --fingerprint.\n`,
  )
  expect((await at('approve', first, '--fingerprint', fingerprint)).output).toMatch(
    new RegExp(`^Approved ${first}: "First": added, 1 block added \\(call \\d{12}\\)\n$`),
  )
  expect((await at('reject', second, '--note', 'One is enough')).output).toBe(`Rejected ${second}.\n`)
  const { content } = await agent.callTool({ name: 'proposals_list', arguments: {} })
  expect((content as { text: string }[])[0]?.text).toContain(`${second}, rejected by Owner: "One is enough")`)
  expect((await at('approve', 'all')).output).toBe('No proposal waits.\n')
  const { output } = await runHere(['log', '--space', file])
  expect(output).toContain(', approved by Owner')
})
