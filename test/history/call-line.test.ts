import { expect, test } from 'vitest'
import { callLine } from '../../src/space/history/call-line.ts'

const call = { at: '2026-11-23T10:00:00.000Z', author: 'Anna', tool: 'blocks_add', summary: '' }

test('a call is named by its ID, and one from before there was a history by none', () => {
  expect(callLine({ ...call, callId: '529310468871' })).toBe('2026-11-23T10:00:00Z Anna blocks_add (call 529310468871)')
  expect(callLine({ ...call, callId: '0' })).toBe('2026-11-23T10:00:00Z Anna blocks_add')
})
