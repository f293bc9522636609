/** A page with more blocks than a call may write. */
import { expect, test } from 'vitest'
import { BLOCKS_PER_CALL } from '../../../src/base/limits.ts'
import { connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'

test('an edit of its outdated text is refused without the present text', async () => {
  const connected = await connect()
  const { call, faults } = connected
  const pageId = await documentOf(connected)
  const add = (count: number) =>
    call('blocks_add', {
      markdown: Array.from({ length: count }, (_, index) => `line ${index}`).join('\n\n'),
      position: { position: 'end', pageId },
    })
  const { revision } = await call('blocks_get', { id: pageId, maxDepth: -1, format: 'json' })
  await add(BLOCKS_PER_CALL)
  const refused = await faults('blocks_update', { pageId, markdown: 'one', revision })
  expect(refused).toEqual({
    code: 'CONFLICT',
    error: expect.stringMatching(
      /^Expected revision \S+, found \S+: the document has changed since that was read\. Read it again with blocks_get, and change its blocks one by one\.$/,
    ),
  })
})
