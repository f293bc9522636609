/** Calls as people tell of them. */
import { expect, test } from 'vitest'
import { groupCalls, VERSION_PAUSE_MS } from '../../src/page/calls/call-groups.ts'
import { changesText, groupText } from '../../src/page/calls/group-text.ts'
import type { PageCall } from '../../src/page/page-call.ts'
import type { HistoryItem } from '../../src/page/page-tools.ts'
import { PAGE_CLIENT } from '../../src/space/model/space.ts'
import { formats, links } from './writing.ts'

const PLAN = { documentId: '100000000001', title: 'Plan' }
const DIARY = { documentId: '100000000002', title: 'Diary' }

let calls = 0
/** @param minute  when it was made */
const call = (minute: number, more: Partial<HistoryItem> = {}): HistoryItem => ({
  callId: String(++calls),
  at: new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString(),
  author: 'Anna',
  client: 'robot',
  connection: 'robot',
  tool: 'blocks_add',
  summary: '"Plan": 2 blocks added',
  documents: [PLAN],
  ...more,
})
const sizes = (items: HistoryItem[]) =>
  groupCalls(
    items.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at)),
    'Anna',
  ).map((group) => group.calls.length)

test('an author, a document and a burst are one group', () => {
  expect(sizes([call(0), call(1), call(5)])).toEqual([3])
  expect(sizes([call(0), call(30)])).toEqual([1, 1])
  expect(sizes([call(0), call(1, { documents: [DIARY] })])).toEqual([1, 1])
})

test('two authors at the same time are a group each', () => {
  const other = { connection: 'codex', client: 'codex' }
  expect(sizes([call(0), call(1, other), call(2), call(3, other)])).toEqual([2, 2])
})

test('over a link without connections, each program is an author', () => {
  const rest = (minute: number, client: string) => {
    const { connection: _none, ...item } = call(minute, { client, linkId: 'L' })
    return item
  }
  expect(sizes([rest(0, 'curl'), rest(1, 'curl'), rest(2, 'cron')])).toEqual([1, 2])
})

test('what the reader typed in a document is one group for longer, and what others type on pages is not', () => {
  const typed = { client: PAGE_CLIENT, connection: 'browser' }
  const own = [call(0, typed), call(30, typed), call(31, { ...typed, documents: [DIARY] })].toReversed()
  expect(groupCalls(own, 'Anna')).toMatchObject([
    { isOwn: true, calls: [{ documents: [DIARY] }] },
    { isOwn: true, calls: [{}, {}] },
  ])
  expect(groupCalls(own, 'Ben')).toMatchObject([{ isOwn: false }, { isOwn: false }, { isOwn: false }])
})

test('in the history of a document, a short pause begins another version', () => {
  const pauses = { ofOthers: VERSION_PAUSE_MS, own: VERSION_PAUSE_MS }
  const versions = groupCalls([call(9), call(5), call(4)], 'Anna', pauses)
  expect(versions.map((one) => one.calls.length)).toEqual([1, 2])
})

test('calls that changed nothing are left out, and those outside of documents are not', () => {
  const nothing = { summary: '', documents: [] }
  expect(sizes([call(0, nothing)])).toEqual([])
  expect(sizes([call(0, { ...nothing, tool: 'links_pause' })])).toEqual([1])
})

test('new documents are one group, and what was taken back or takes back is on its own', () => {
  const made = (title: string) => ({ tool: 'documents_add', summary: `"${title}": added`, documents: [DIARY] })
  expect(sizes([call(0, made('One')), call(1, { ...made('Two'), documents: [PLAN] })])).toEqual([2])
  expect(sizes([call(0), call(1, { undoneBy: '9' }), call(2, { undoes: ['9'] }), call(3)])).toEqual([2, 1, 1])
})

test('changes of a group are counted together', () => {
  const of = (summary: string) => call(0, { summary })
  expect(changesText([of('"Plan": 2 blocks added, 1 block changed'), of('"Plan": 12 blocks added')])).toBe(
    '14 blocks added, 1 block changed',
  )
  expect(changesText([of('"Plan": added')])).toBe('')
})

test('what several calls did is named once, as long as there are few names', () => {
  const changed = (...names: string[]) =>
    call(0, {
      changes: [{ title: 'Plan', changes: [{ noun: 'row', verb: 'changed', amount: names.length, names }] }],
    })
  expect(changesText([changed('A'), changed('B'), changed('A')])).toBe('rows “A” and “B” changed')
  expect(changesText([changed('A'), changed('B', 'C'), changed('D')])).toBe('4 rows changed')
  const renamed = call(0, { changes: [{ title: 'Plan', changes: [{ noun: 'document', verb: 'renamed', amount: 1 }] }] })
  expect(changesText([renamed, changed('A')])).toBe('row “A” changed, document renamed')
})

test('what happened to the document itself is told however much else did, in its order', () => {
  const newestFirst = [
    'moved to the trash',
    'moved',
    '5 blocks deleted',
    '13 blocks changed',
    '14 blocks added',
    '1 view added',
  ]
  expect(changesText(newestFirst.map((change) => call(0, { summary: `"Plan": ${change}` })))).toBe(
    '14 blocks added, 13 blocks changed, 5 blocks deleted, moved to another place, moved to the trash',
  )
})

test('a group to which earlier calls may belong is cut, and says no number of documents', () => {
  const made = (title: string, minute: number) =>
    call(minute, { tool: 'documents_add', summary: `"${title}": added`, documents: [{ documentId: title, title }] })
  const calls = [call(30, { documents: [DIARY] }), ...['A', 'B', 'C', 'D', 'E'].map((title) => made(title, 1)), call(0)]
  const groups = (hasEarlier: boolean) => groupCalls(calls, 'Ben', undefined, hasEarlier)
  expect(groups(true).map(({ isCut }) => isCut ?? false)).toEqual([false, true, true])
  expect(groups(false).map(({ isCut }) => isCut ?? false)).toEqual([false, false, false])
  const shown = (hasEarlier: boolean) => {
    const [, made] = groups(hasEarlier)
    const page = { links, formats, pictures: new Map() } as unknown as PageCall
    return made === undefined ? '' : String(groupText(page, made)).replace(/<[^>]*>/g, '')
  }
  expect(shown(false)).toContain('robot added A, B and 3 more')
  expect(shown(true)).toContain('robot added A, B and more')
})
