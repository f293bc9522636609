/** Which call undo reverts. */
import { beforeEach, expect, test } from 'vitest'
import { type UndoItem, undoTarget } from '../../src/page/assets/sync/undo-target.ts'

const own = new Set<string>()
const mine = { connection: 'page 1', isOwn: (callId: string) => own.has(callId) }
beforeEach(() => own.clear())
const call = (callId: string, more: Partial<UndoItem> = {}): UndoItem => ({
  ...{ callId, connection: mine.connection },
  ...more,
})
/** A call that the page made itself since it was opened. */
const here = (callId: string, more: Partial<UndoItem> = {}) => {
  own.add(callId)
  return call(callId, more)
}
const target = (items: UndoItem[]) => [undoTarget(items, mine, false), undoTarget(items, mine, true)]

test('it is the last effective call of this browser', () => {
  expect(target([])).toEqual([undefined, undefined])
  expect(target([call('9', { connection: 'codex' }), call('2'), call('1')])).toEqual(['2', undefined])
})

test('repeated undo goes further back, and redo reverts the last undo', () => {
  const once = [call('3', { undoes: ['2'] }), call('2', { undoneBy: '3' }), call('1')]
  expect(target(once)).toEqual(['1', '3'])
  const twice = [call('4', { undoes: ['1'] }), ...once.slice(0, 2), call('1', { undoneBy: '4' })]
  expect(target(twice)).toEqual([undefined, '4'])
})

test('after a redo the call is effective again, and after a change there is nothing to redo', () => {
  const undone = call('3', { undoes: ['2'], undoneBy: '4' })
  const redone = [call('4', { undoes: ['3'] }), undone, call('2'), call('1')]
  expect(target(redone)).toEqual(['2', undefined])
  expect(target([call('4'), call('3', { undoes: ['2'] }), call('2', { undoneBy: '3' })])).toEqual(['4', undefined])
})

test('an undo that also took an undo back is no redo', () => {
  const both = [call('4', { undoes: ['3', '2'] }), call('3', { undoes: ['1'], undoneBy: '4' })]
  expect(target([...both, call('2', { undoneBy: '4' }), call('1')])).toEqual(['1', undefined])
})

test('what the editor takes back itself is passed over', () => {
  expect(target([here('3'), here('2'), call('1')])).toEqual(['1', undefined])
  // The editor has deleted a block, and brought it back.
  expect(target([here('4', { undoes: ['3'] }), here('3', { undoneBy: '4' }), call('1')])).toEqual(['1', undefined])
})

test('an undo of an earlier call can be redone until something else is changed', () => {
  const undone = [here('4', { undoes: ['1'] }), here('3'), call('2', { undoneBy: '0' }), call('1', { undoneBy: '4' })]
  expect(target(undone)).toEqual([undefined, '4'])
  expect(target([here('5'), ...undone])).toEqual([undefined, undefined])
  expect(target([here('6', { undoes: ['5'] }), here('5', { undoneBy: '6' }), ...undone])).toEqual([
    undefined,
    undefined,
  ])
})

test('what an earlier visit wrote without a connection, and arrives now, is taken back first', () => {
  expect(target([call('3'), here('2'), call('1')])).toEqual(['3', undefined])
})
