/** The badge above each page counts agents, not connections, and no commands of the person who runs the program. */
import { expect, test } from 'vitest'
import { countAgents } from '../../src/page/frame/activity.ts'
import type { HistoryItem } from '../../src/page/page-tools.ts'

const NOW = Date.parse('2026-11-29T09:00:00Z')

function agentsOf(...calls: Partial<HistoryItem>[]): number {
  const call = {
    callId: '1',
    at: '2026-11-29T08:55:00Z',
    author: 'Anna',
    tool: 'blocks_add',
    summary: '',
    documents: [],
  }
  return countAgents({ calls: calls.map((one): HistoryItem => ({ ...call, ...one })) }, NOW)
}

test.each<[number, string, Partial<HistoryItem>[]]>([
  [
    1,
    'a host that was restarted',
    [
      { client: 'claude-desktop', connection: 'a' },
      { client: 'claude-desktop', connection: 'b' },
    ],
  ],
  [
    1,
    'a link with two connections',
    [
      { client: 'one', linkId: 'l', connection: 'a' },
      { client: 'two', linkId: 'l', connection: 'b' },
    ],
  ],
  [
    2,
    'two hosts',
    [
      { client: 'claude-desktop', connection: 'a' },
      { client: 'cursor', connection: 'b' },
    ],
  ],
  [2, 'two links without names of programs', [{ linkId: 'l' }, { linkId: 'm' }]],
  [
    0,
    'the page, an import, the welcome document, and a command',
    [
      { client: 'page', linkId: 'l' },
      { client: 'scriptorium import', connection: 'a' },
      { author: 'Scriptorium' },
      { author: 'Anna' },
    ],
  ],
  [0, 'what was written an hour ago', [{ client: 'cursor', at: '2026-11-29T08:00:00Z' }]],
])('%i for %s', (count, _, calls) => {
  expect(agentsOf(...calls)).toBe(count)
})
