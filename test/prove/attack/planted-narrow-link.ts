/** What holds off those who have a link that reaches little, or may do little. */
import type { Mutation } from '../mutated-sources.ts'

export const NARROW_LINK: readonly Mutation[] = [
  // 8: requests of every method are counted, and what a session keeps is bounded.
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
  // 9: the hidden side of a relation stays as it is, and its values are not counted.
  {
    file: 'src/space/collections/schema/write-schema.ts',
    find: 'const isReached = target !== null && (await canReachCollection(space, target))',
    replace: 'const isReached = true',
  },
  {
    file: 'storage/properties.ts',
    find: '(value.target IS NULL OR',
    replace: '(1 OR value.target IS NULL OR',
  },
  // 10: the author is not what a client calls itself, and what is printed is escaped.
  {
    file: 'src/mcp/mcp-server.ts',
    find: "return client === '' ? link : { ...link, client }",
    replace: 'return typeof name === "string" ? { ...link, author: name, client } : link',
  },
  {
    file: 'src/base/control-characters.ts',
    find: "fields.map(escapeForTerminal).join('\\t')",
    replace: "fields.join('\\t')",
  },
  // 11: without deletion nothing goes that stood by itself.
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
    file: 'src/space/editing/update-blocks.ts',
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
  // 12: reach is asked again when an answer is repeated.
  {
    file: 'src/call/idempotency.ts',
    find: 'if (storedCall.reach === (await reachFingerprint(space)) && !isHidden) {',
    replace: 'if (storedCall.reach !== undefined || reachedIds.length > 0 || isHidden) {',
  },
  // An address of a file is of a link, and leads as far as that does.
  {
    file: 'src/auth/access-links/access-links.ts',
    find: 'const file = link && (await findReachableFile(space.withLink(link), (await space.readId(fileAddress.id)).number))',
    replace:
      'const file = (fileAddress || link) && (await findReachableFile(space, (await space.readId(fileAddress.id)).number))',
  },
  // 13: a narrow link hears of what it reaches.
  {
    file: 'src/mcp/change-notifications.ts',
    find: 'if (changes.listChanged && (await this.#hasListChanged(link)))',
    replace: 'if (changes.listChanged)',
  },
  // And sees no IDs of what it does not reach.
  {
    file: 'src/space/model/block-links.ts',
    find: 'const isReached = isFull || targets.every((text) => reachableIds.has(ids.get(text) ?? 0))',
    replace: 'const isReached = isFull || targets.length < Infinity || reachableIds.size > 0',
  },
]
