/**
 * Names that models use instead of our inputs, as they know them from similar services. Each tool lists those that it
 * accepts.
 */
import { readBoolean } from '../../src/base/read-boolean.ts'
import type { InputAlias } from '../../src/endpoint.ts'
import { foreignFilters, ruleTexts } from './foreign-rules.ts'
import { readRepeat } from './repeat-text.ts'
import { sentWord } from './sent-word.ts'

/** True for `{ page_id }` or `{ type: "page_id", page_id }`. @param key  the key of the ID */
const isNamed = (value: unknown, key: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Record<string, unknown>)[key] === 'string' &&
  Object.keys(value).every((one) => one === key || one === 'type')

const isText = (value: unknown): boolean => typeof value === 'string'
const isList = Array.isArray

/** Several aliases of one input. @param inside  the common path prefix, such as `documents[].` */
export const named = (to: string, names: string, inside = ''): InputAlias[] =>
  names.split(' ').map((word) => ({ from: inside + word, to: inside + to }))

/** Aliases of a list of IDs, which may also be a single ID. */
export const idAliases = (to: string, names: string): InputAlias[] => [
  ...named(to, `ids id ${names}`),
  // A list of objects with IDs is converted to a list of these IDs.
  { from: to, to, when: isListOfObjects, value: (list) => (list as { id: unknown }[]).map(({ id }) => id) },
]

const isListOfObjects = (value: unknown): boolean =>
  isList(value) && value.every((one) => typeof one === 'object' && one !== null && 'id' in one)

const isBeside = (_: unknown, { position }: Record<string, unknown>): boolean =>
  position === 'before' || position === 'after'

const PLACE_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ top: 'start', beginning: 'start', begin: 'start', first: 'start', prepend: 'start', head: 'start' },
    ...{ bottom: 'end', last: 'end', append: 'end', tail: 'end' },
    ...{ above: 'before', below: 'after', after_block: 'after', before_block: 'before' },
  }),
)
const placeOf = (word: unknown): unknown => PLACE_WORDS.get(sentWord(word)) ?? word
const PLACES = ['start', 'end', 'before', 'after']

/** A position that names only a page or a day means its end; `{ after: ID }` means the block with this ID. */
function completePosition(position: unknown): unknown {
  const given = position as Record<string, unknown>
  const place = PLACES.find((word) => typeof given[word] === 'string')
  if (place === undefined) return { ...given, position: 'end' }
  const { [place]: id, ...others } = given
  return { ...others, position: place, [place === 'start' || place === 'end' ? 'pageId' : 'siblingId']: id }
}

const isIncomplete = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || 'position' in value) return false
  const named = Object.keys(value)
  return named.some((key) => [...PLACES, 'pageId', 'date'].includes(key)) && !named.includes('siblingId')
}

/** Aliases of a position. */
export const positionAliases: readonly InputAlias[] = [
  ...PLACES.map((word) => ({ from: word, to: `position.${word}`, when: isText })),
  ...['parent', 'destination', 'newParent', 'new_parent'].flatMap((word) =>
    ['pageId', 'page_id', 'documentId', 'document_id', 'blockId', 'block_id'].map((id) => ({
      from: word,
      to: 'position.pageId',
      when: (value: unknown) => isNamed(value, id),
      value: (value: unknown) => (value as Record<string, unknown>)[id],
    })),
  ),
  { from: 'position', to: 'position.position', when: isText },
  ...named('position.pageId', 'pageId documentId parentId parentBlockId'),
  ...named('position.siblingId', 'siblingId afterBlockId'),
  ...named('position.date', 'date dailyNoteDate'),
  ...named('position', 'at where type placement relative', 'position.'),
  ...['blockId', 'id'].map((word) => ({ from: `position.${word}`, to: 'position.siblingId', when: isBeside })),
  ...named('pageId', 'documentId parentId parentBlockId rootBlockId blockId id', 'position.'),
  ...named('siblingId', 'sibling siblingBlockId referenceId targetId', 'position.'),
  ...named('date', 'dailyNoteDate day', 'position.'),
  {
    from: 'position.position',
    to: 'position.position',
    when: (word) => placeOf(word) !== word,
    value: placeOf,
  },
  { from: 'position', to: 'position', when: isIncomplete, value: completePosition },
]

const STATES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ done: 'done', complete: 'done', completed: 'done', closed: 'done', finished: 'done', checked: 'done' },
    ...{ todo: 'todo', open: 'todo', pending: 'todo', incomplete: 'todo', active: 'todo', unchecked: 'todo' },
    ...{ canceled: 'canceled', cancelled: 'canceled' },
  }),
)
function stateOf(word: unknown): unknown {
  const flag = readBoolean(word)
  return typeof flag === 'boolean' ? (flag ? 'done' : 'todo') : (STATES.get(sentWord(word)) ?? word)
}

/** The day in `{ date }` or `{ string }`, as Todoist has it. */
const dayOf = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const [[key, day] = [], ...more] = Object.entries(value)
  return more.length === 0 && (key === 'date' || key === 'string' || key === 'start') ? day : value
}

const STATE_WORDS = 'state status done checked completed isCompleted isDone complete'.split(' ')

/** Aliases of task fields. @param inside  the path of the tasks: `tasks[].` */
export const taskFields = (inside: string): InputAlias[] => [
  ...STATE_WORDS.map((word) => ({ from: inside + word, to: `${inside}taskInfo.state`, value: stateOf })),
  {
    from: `${inside}taskInfo.state`,
    to: `${inside}taskInfo.state`,
    when: (word) => stateOf(word) !== word,
    value: stateOf,
  },
  ...named(
    'taskInfo.deadlineDate',
    'deadlineDate dueDate due due_date deadline dueOn dueString taskInfo.dueDate taskInfo.due',
    inside,
  ),
  ...named('taskInfo.deadlineDate', 'taskInfo.deadline', inside),
  ...['deadlineDate', 'scheduleDate'].map((key) => ({
    from: `${inside}taskInfo.${key}`,
    to: `${inside}taskInfo.${key}`,
    when: (value: unknown) => dayOf(value) !== value,
    value: dayOf,
  })),
  {
    from: `${inside}date`,
    instead: 'give taskInfo with scheduleDate, the day to do it, or with deadlineDate, the day when it is due',
  },
  ...named('taskInfo.scheduleDate', 'scheduleDate scheduledDate schedule scheduled startDate', inside),
  ...named('taskInfo.scheduleDate', 'taskInfo.schedule taskInfo.scheduledDate taskInfo.startDate', inside),
]

/** Entries that are given as their text alone. @param key  the field that the text is */
export const entryTexts = (list: string, key: string): InputAlias => ({
  from: list,
  to: list,
  when: (value) => isText(value) || (isList(value) && value.some(isText)),
  value: (value) => (isList(value) ? value : [value]).map((one) => (isText(one) ? { [key]: one } : one)),
})

/** A single task, as an object or as the call's own fields. @param list  `tasks` or `tasksToUpdate` */
export const taskAliases = (list: string): InputAlias[] => [
  ...named('repeat', 'recurrence recurring taskInfo.recurrence', `${list}[].`),
  {
    from: `${list}[].repeat`,
    to: `${list}[].repeat`,
    when: (rule) => readRepeat(rule) !== undefined,
    value: readRepeat,
  },
  { from: `${list}[].location`, to: `${list}[].location.type`, when: isText },
  {
    from: `${list}[].documentId`,
    to: `${list}[].location.documentId`,
    when: (_, { location }) => (location as { type?: unknown } | undefined)?.type === 'document',
  },
  ...['documentId', 'document'].map((word) => ({
    from: `${list}[].${word}`,
    to: `${list}[].location`,
    value: (documentId: unknown) => ({ type: 'document', documentId }),
  })),
  ...named('markdown', 'title text content name task description', `${list}[].`),
  ...taskFields(`${list}[].`),
]

/** Aliases of block fields. @param list  `blocks` */
export const blockAliases = (list: string): InputAlias[] => [
  ...['text', 'content', 'value'].map((word) => ({
    from: `${list}[].${word}`,
    to: `${list}[].markdown`,
    when: isText,
  })),
  ...named('rawCode', 'code', `${list}[].`),
  ...taskFields(`${list}[].`),
]

/** Fields of a single entry that are given without the list. */
export const soleEntry = (list: string, names: string): InputAlias[] =>
  names.split(' ').map((word) => ({
    from: word,
    to: `${list}[0].${word}`,
    when: (_, beside) => !isList(beside[list]) || beside[list].length === 1,
  }))

const BUILT_IN = new Set(['unsorted', 'trash', 'templates', 'daily_notes'])
const builtIn = (value: unknown): string => sentWord(value).replace(/[ -]/g, '_')

/** True for a built-in location that is given as a folder. */
export const isBuiltIn = (value: unknown): boolean => typeof value === 'string' && BUILT_IN.has(builtIn(value))

/** Aliases of a document's destination. */
export const destinationAliases: readonly InputAlias[] = [
  { from: 'destination', to: 'destination.destination', when: isBuiltIn, value: builtIn },
  { from: 'destination', to: 'destination.folderId', when: isText },
  ...['folderId', 'folder', 'parentFolderId', 'targetFolderId', 'destinationFolderId', 'parentId'].flatMap((word) => [
    { from: word, to: 'destination.destination', when: isBuiltIn, value: builtIn },
    { from: word, to: 'destination.folderId' },
  ]),
  { from: 'location', to: 'destination.destination', when: isBuiltIn, value: builtIn },
  { from: 'destination.folderId', to: 'destination.destination', when: isBuiltIn, value: builtIn },
  ...named('folderId', 'id folder parentFolderId', 'destination.'),
  ...named('destination', 'location type', 'destination.'),
]

/** A document that is named by its title, which need not be the only one with it. */
export const byTitle: readonly InputAlias[] = ['title', 'name', 'documentTitle', 'pageTitle', 'documentName'].map(
  (from) => ({ from, instead: 'search for the title, and give the ID that was found' }),
)

/** Aliases of the place of documents to list. */
export const placeAliases = (folders: 'folderId' | 'folderIds'): InputAlias[] => [
  ...(folders === 'folderId' ? ['folder', 'parentFolderId', 'parentId'] : ['folderId', 'folder', 'folders']).flatMap(
    (word) => [
      { from: word, to: 'location', when: isBuiltIn, value: builtIn },
      { from: word, to: folders },
    ],
  ),
  { from: folders, to: 'location', when: isBuiltIn, value: builtIn },
  { from: folders, to: 'location', when: isOneBuiltIn, value: (list) => builtIn((list as unknown[])[0]) },
  ...named('documentIds', 'documentId documents ids id'),
  ...named('limit', 'pageSize'),
]

const isOneBuiltIn = (value: unknown): boolean => isList(value) && value.length === 1 && isBuiltIn(value[0])

/** Of the tags by which a list is filtered. */
export const tagAliases: InputAlias[] = named('tags', 'tag hashtags labels')

/** Aliases of search terms. */
export const searchAliases: readonly InputAlias[] = [
  ...['exclude', 'excludes', 'not', 'without', 'exclude_terms', 'excludeTerms'].map((from) => ({
    from,
    instead: 'give the words to find in include, then ignore the results that have what you do not want',
  })),
  ...named('include', 'query q search text keywords keyword terms term words searchTerm question'),
  ...named('regexps', 'regex regexp pattern patterns regexes'),
  ...tagAliases,
]

/** Aliases of a pattern and the place to search. */
export const patternAliases: readonly InputAlias[] = [
  ...named('pattern', 'query q search text regex regexp include term'),
]

const isAscending = (value: unknown): unknown =>
  value === 1 || sentWord(value).startsWith('asc')
    ? true
    : value === -1 || sentWord(value).startsWith('desc')
      ? false
      : value

const sortAliases = (inside: string): InputAlias[] => [
  ...named('property', 'key field column name by', inside),
  ...['direction', 'order', 'dir'].map((word) => ({
    from: inside + word,
    to: `${inside}ascending`,
    value: isAscending,
  })),
  {
    from: `${inside}descending`,
    to: `${inside}ascending`,
    when: (value) => typeof readBoolean(value) === 'boolean',
    value: (value) => !readBoolean(value),
  },
]

/** Aliases for reading items. */
export const itemQueryAliases: readonly InputAlias[] = [
  ...named('filters', 'filter where'),
  ...named('sortBy', 'sort sorts orderBy'),
  ...named('groupBy', 'group'),
  ...named('limit', 'pageSize'),
  foreignFilters(),
  {
    from: 'filters[].or',
    instead: 'all filters must hold, so make one call for each alternative; select_isAnyOf takes several options',
  },
  ruleTexts('sortBy'),
  ruleTexts('groupBy'),
  ...named('property', 'key field column', 'filters[].'),
  ...named('filterType', 'type operator op condition', 'filters[].'),
  ...named('filterValue', 'value', 'filters[].'),
  ...sortAliases('sortBy[].'),
  ...sortAliases('groupBy[].'),
]

const VIEW_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ board: 'kanban', grid: 'table', cards: 'gallery' }),
)
const viewTypeOf = (word: unknown): unknown => VIEW_TYPES.get(sentWord(word)) ?? word

/** Aliases of the settings of a view. */
export const viewAliases: readonly InputAlias[] = [
  ...named('name', 'title', 'view.'),
  ...named('groupBy', 'group_by group', 'view.'),
  ...named('sortBy', 'sort_by sort sorts', 'view.'),
  ...named('filters', 'filter', 'view.'),
  { from: 'view.type', to: 'view.type', when: (word) => viewTypeOf(word) !== word, value: viewTypeOf },
  foreignFilters('view.'),
  ruleTexts('view.sortBy'),
  ruleTexts('view.groupBy'),
]

/** Aliases of a collection. */
export const collectionAliases: readonly InputAlias[] = [
  ...named('collectionId', 'collection collectionBlockId databaseId tableId dataSourceId'),
  ...['databaseId', 'database_id', 'dataSourceId', 'data_source_id'].map((id) => ({
    from: 'parent',
    to: 'collectionId',
    when: (value: unknown) => isNamed(value, id),
    value: (value: unknown) => (value as Record<string, unknown>)[id],
  })),
]

/** Field names for the text of a single task. */
export const TASK_WORDS =
  'markdown title text content name task taskInfo state status done completed checked closed isCompleted dueDate due_date due dueString deadline deadlineDate scheduleDate schedule scheduled location documentId repeat'
