/** What holds off those who have a link that reaches little, or may do little. */
import type { Mutation } from '../mutated-sources.ts'

export const NARROW_LINK: readonly Mutation[] = [
  // 8: requests of every method are counted, and what a session keeps is bounded.
  {
    file: 'src/server/accept-messages.ts',
    find: 'if (requests === 0) return',
    replace: 'if (requests >= 0) return',
  },
  {
    file: 'src/server/accept-messages.ts',
    find: "if (request.method === 'initialize') return boundInitialize(request)",
    replace: "if (request.method === 'none') return boundInitialize(request)",
  },
  {
    file: 'src/server/resources.ts',
    find: ' || uri.length > RESOURCE_URI_LENGTH',
    replace: '',
  },
  {
    file: 'src/server/resources.ts',
    find: 'if (address === undefined) return {}',
    replace: `if (address === undefined) {
      subscribed.add(uri)
      return {}
    }`,
  },
  // 9: the hidden side of a relation stays as it is, and its values are not counted.
  {
    file: 'src/space/schema/write.ts',
    find: 'const isReached = target !== null && (await reachesCollection(space, target))',
    replace: 'const isReached = true',
  },
  {
    file: 'storage/properties.ts',
    find: '(value.target IS NULL OR',
    replace: '(1 OR value.target IS NULL OR',
  },
  // 10: the author is not what a client calls itself, and what is printed is escaped.
  {
    file: 'src/server/mcp.ts',
    find: "return client === '' ? link : { ...link, client }",
    replace: 'return typeof name === "string" ? { ...link, author: name, client } : link',
  },
  {
    file: 'src/control-characters.ts',
    find: "fields.map(escapeForTerminal).join('\\t')",
    replace: "fields.join('\\t')",
  },
  // 11: without deletion nothing goes that stood by itself.
  {
    file: 'src/space/files/shown.ts',
    find: 'if (!mayDelete(space.link)) await refuseLostFile(space, row, file)',
    replace: '',
  },
  {
    file: 'src/space/whiteboards/elements.ts',
    find: 'await refuseReplacedAssets(space, board, assets)',
    replace: '',
  },
  {
    file: 'src/space/whiteboards/elements.ts',
    find: 'refuseDeletedMarks(space, before, changed)',
    replace: '',
  },
  {
    file: 'src/space/blocks/update.ts',
    find: 'refuseRemovedRows(space, row.id, update.input.rows)',
    replace: '',
  },
  {
    file: 'src/space/blocks/update.ts',
    find: 'refuseFewerRows(space, row, stored.text)',
    replace: '',
  },
  {
    file: 'src/space/reminders.ts',
    find: 'if (!mayDelete(space.link)) await refuseReplaced(space, participant, rows)',
    replace: '',
  },
  {
    file: 'src/space/blocks/move.ts',
    find: 'if (!mayDelete(space.link)) await refuseTrash(space, rows, target)',
    replace: '',
  },
  // 12: reach is asked again when an answer is repeated.
  {
    file: 'src/server/writes.ts',
    find: 'if (then.reach === (await reachFingerprint(space)) && !(await space.hidesAny(reached))) return answer',
    replace: 'if (then.reach !== undefined || reached.length > 0) return answer',
  },
  // An address of a file is of a link, and leads as far as that does.
  {
    file: 'src/server/links.ts',
    find: 'const file = link && (await readableFile(space.over(link), shared.id))',
    replace: 'const file = (shared || link) && (await readableFile(space, shared.id))',
  },
  // 13: a narrow link hears of what it reaches.
  {
    file: 'src/server/changes.ts',
    find: 'if (changes.listChanged && (await this.#isListedAnew(link)))',
    replace: 'if (changes.listChanged)',
  },
  // And sees no IDs of what it does not reach.
  {
    file: 'src/space/links.ts',
    find: 'return target?.ids.every((id) => within.has(id)) === false ? OUT_OF_SCOPE : shownToAll(url, isShown)',
    replace: 'return target?.ids.every((id) => within.has(id)) === undefined ? shownToAll(url, isShown) : url',
  },
]
