/** The guards against access links with a narrow reach or limited access. */
import type { Mutation } from '../mutated-sources.ts'

export const NARROW_LINK: readonly Mutation[] = [
  // 8: requests of every method count, and the state of a session is limited.
  {
    file: 'src/mcp/accept-messages.ts',
    find: 'if (requests === 0) return',
    replace: 'if (requests >= 0) return',
  },
  {
    file: 'src/mcp/accept-messages.ts',
    find: "if (request.method === 'initialize') return sanitizeInitialize(request)",
    replace: "if (request.method === 'none') return sanitizeInitialize(request)",
  },
  {
    file: 'src/mcp/mcp-resources.ts',
    find: ' || uri.length > RESOURCE_URI_LENGTH',
    replace: '',
  },
  {
    file: 'src/mcp/mcp-resources.ts',
    find: 'if (address === undefined) return {}',
    replace: `if (address === undefined) {
      subscribed.add(uri)
      return {}
    }`,
  },
  // 9: the hidden side of a relation does not change, and its values are not counted.
  {
    file: 'src/space/collections/write-schema.ts',
    find: 'const isReached = target !== null && (await canReachCollection(space, target))',
    replace: 'const isReached = true',
  },
  {
    file: 'storage/properties.ts',
    find: '(value.target IS NULL OR',
    replace: '(true OR value.target IS NULL OR',
  },
  // 10: the author is not the client's name, and printed text is escaped.
  {
    file: 'src/call/client-name.ts',
    find: 'return { ...link, client: OF_PEOPLE',
    replace: 'return { ...link, author: name as string, client: OF_PEOPLE',
  },
  {
    file: 'src/base/control-characters.ts',
    find: "fields.map(escapeForTerminal).join('\\t')",
    replace: "fields.join('\\t')",
  },
  // 11: without deletion, no independent content is destroyed.
  {
    file: 'src/space/content/file-references.ts',
    find: 'if (!canDelete(space.link)) await assertFileKept(space, row, file)',
    replace: '',
  },
  {
    file: 'src/space/whiteboards/whiteboard-elements.ts',
    find: 'await assertAssetsKept(space, board, assets)',
    replace: '',
  },
  {
    file: 'src/space/whiteboards/whiteboard-elements.ts',
    find: 'assertElementsKept(space, before, changed)',
    replace: '',
  },
  {
    file: 'src/space/editing/update-blocks.ts',
    find: 'assertNoRowsRemoved(space, update.id, update.input.rows)',
    replace: '',
  },
  {
    file: 'src/space/editing/write-block.ts',
    find: 'assertNoRowsLost(space, row, stored.text)',
    replace: '',
  },
  {
    file: 'src/space/reminders/reminders.ts',
    find: 'if (!canDelete(space.link)) await assertNoRemindersReplaced(space, participant, rows)',
    replace: '',
  },
  {
    file: 'src/space/editing/move-blocks.ts',
    find: 'if (!canDelete(space.link)) await assertNotIntoTrash(space, rows, target)',
    replace: '',
  },
  {
    file: 'src/space/history/undo-losses.ts',
    find: 'if (canDelete(space.link)) return',
    replace: 'if (rows.length > 0) return',
  },
  // 9 and 13: undo is planned from what the connection sees.
  {
    file: 'src/space/history/undo-reach.ts',
    find: 'if (this.#isOperator) return new Map(histories)',
    replace: 'if (histories.size >= 0) return new Map(histories)',
  },
  {
    file: 'src/space/history/undo-ties.ts',
    find: 'if (!reach.isNarrow) return existingNumbers(tx, table, numbers)',
    replace: 'if (!reach.isNarrow || numbers.length > 0) return existingNumbers(tx, table, numbers)',
  },
  // 12: reach is checked again when a response is replayed.
  {
    file: 'src/call/idempotency.ts',
    find: 'if (storedCall.reach === (await reachFingerprint(space)) && !isHidden) {',
    replace: 'if (storedCall.reach !== undefined || reachedIds.length > 0 || isHidden) {',
  },
  // The address of a file belongs to an access link and has the reach of that link.
  {
    file: 'src/auth/access-links/access-links.ts',
    find: 'const file = link && (await findReachableFile(space.withLink(link), (await space.readId(fileAddress.id)).number))',
    replace:
      'const file = (fileAddress || link) && (await findReachableFile(space, (await space.readId(fileAddress.id)).number))',
  },
  // 13: a narrow link is notified only of documents within its reach.
  {
    file: 'src/mcp/change-notifications.ts',
    find: 'if (changes.listChanged && (await this.#hasListChanged(link)))',
    replace: 'if (changes.listChanged)',
  },
  // And it sees no IDs of documents out of its reach.
  {
    file: 'src/space/model/block-links.ts',
    find: 'target?.ids.every((text) => (target.isMember ? members : blocks).has(ids.get(text) ?? 0)) ?? true',
    replace: 'target?.ids.every((text) => ids.has(text)) ?? true',
  },
  // 20: what a request compares is limited and runs in a worker thread, outside of transactions.
  {
    file: 'src/base/limits/history-limits.ts',
    find: 'export const DIFF_PAIRS = 2_000_000',
    replace: 'export const DIFF_PAIRS = Infinity',
  },
  {
    file: 'src/difference/comparer.ts',
    find: '(await compareShort(task)) ?? (await this.#compareInWorker(task))',
    replace: 'await compareHere(task)',
  },
  {
    file: 'src/call/propose.ts',
    find: '  const rehearsal = await describeRehearsal(recorded)\n',
    replace: '  const rehearsal = recorded as never as Awaited<ReturnType<typeof describeRehearsal>>\n',
  },
  {
    file: 'src/call/propose.ts',
    find: 'return { ...result, recorded: rehearsal,',
    replace: 'return { ...result, recorded: (await describeRehearsal(rehearsal)) as never,',
  },
  {
    file: 'src/base/limits/history-limits.ts',
    find: 'export const CHANGED_ROWS_PER_ANSWER = 25_000',
    replace: 'export const CHANGED_ROWS_PER_ANSWER = Infinity',
  },
]
