/** Lists as a terminal shows them: each has columns with headers. */
import { expect, test } from 'vitest'
import { runGroups } from '../../src/cli/access/groups-command.ts'
import { runLinks } from '../../src/cli/access/links-command.ts'
import { runLocks } from '../../src/cli/access/locks-command.ts'
import { runMembers } from '../../src/cli/access/members-command.ts'
import { runParticipants } from '../../src/cli/access/participants-command.ts'
import { runWebhooks } from '../../src/cli/access/webhooks-command.ts'
import { parseOptions } from '../../src/cli/options.ts'
import { type CommandResult, formatResult } from '../../src/cli/printing.ts'
import { runProposals } from '../../src/cli/proposals-command.ts'
import { formatTable } from '../../src/cli/terminal-table.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'

test('columns are as wide as their longest text, and those without text are left out', () => {
  const rows = [
    ['1', 'Plan', '', 'a\tb\u001b[2J'],
    ['22', 'A longer title', '', ''],
  ]
  expect(formatTable({ columns: ['ID', 'Title', 'Empty', 'Note'], rows, notes: ['One\nnote.'] })).toBe(
    ['ID  Title           Note', '1   Plan            a\\tb\\u001b[2J', '22  A longer title', 'One\\nnote.'].join('\n'),
  )
})

const shown = (done: CommandResult) => formatResult(done, { json: false, isTerminal: true })
const optionsOf = (...args: string[]) => parseOptions(args, {})

/** A space with one of everything that is listed. */
async function filled(): Promise<OpenSpace> {
  const to = await buildSpace()
  const { space } = to
  const document = await documentOf(await connect('full', { to }), 'one', 'Plan')
  await runLocks(space, 'add', optionsOf('locks', 'add', document))
  await runLinks(
    space,
    'add',
    optionsOf(
      'links',
      'add',
      '--name',
      'Robo',
      '--bearer',
      '--webhook',
      'http://127.0.0.1:9/',
      '--webhook-allow',
      '127.0.0.0/8',
    ),
  )
  await runGroups(space, 'add', optionsOf('groups', 'add', 'Team', '--add', 'Robo'))
  const agent = await connect('full', { to, access: 'propose' })
  await agent.call('documents_add', { documents: [{ title: 'Proposed' }] })
  return space
}

test.each<[string, (space: OpenSpace) => Promise<CommandResult>, string]>([
  ['links', (space) => runLinks(space, 'list', optionsOf('links', 'list')), 'ID Name Reach Access Remarks Whose'],
  ['participants', (space) => runParticipants(space, 'list', ''), 'Name ID Since'],
  ['members', (space) => runMembers(space, 'list', optionsOf('members', 'list')), 'Name Kind ID'],
  ['groups', (space) => runGroups(space, 'list', optionsOf('groups', 'list')), 'Name Kind ID Members'],
  ['locks', (space) => runLocks(space, 'list', optionsOf('locks', 'list')), 'ID Title State'],
  ['proposals', (space) => runProposals(space, 'list', '', {}), 'ID Time Who State Tool What'],
  [
    'webhooks',
    (space) => runWebhooks(space, 'list', optionsOf('webhooks', 'list')),
    'ID Address Link Link name Events State Waiting',
  ],
])('%s have headers on a terminal, and fields between tabs elsewhere', async (_, list, headers) => {
  const done = await list(await filled())
  const [first = '', ...rows] = shown(done).split('\n')
  expect(first.split(/ {2,}/).join(' ')).toBe(headers)
  expect(rows.length).toBeGreaterThan(0)
  expect(shown(done)).not.toContain('\t')
  expect(formatResult(done, { json: false })).not.toContain(first)
})
