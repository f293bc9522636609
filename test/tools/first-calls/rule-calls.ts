/** First calls with rules: filters, orders, repetition, schemas and JSON in texts, as models write them. */
import type { FirstCalls } from './first-calls.ts'

const COLLECTION = { collectionId: '$collection' }
const AT_END = { position: { position: 'end', pageId: '$document' } }

const list = (property: string, filterType: string, filterValue?: unknown): readonly [string, object] => [
  'items_list',
  { ...COLLECTION, filters: [{ property, filterType, ...(filterValue !== undefined && { filterValue }) }] },
]

export const RULE_CALLS: readonly FirstCalls[] = [
  {
    intent: 'list items with an option',
    right: list('stage', 'select_isAnyOf', ['Open']),
    mends: /select_isAnyOf/,
    with: COLLECTION,
    calls: [
      { filters: [{ property: 'stage', filterType: '=', filterValue: 'Open' }] },
      { filters: [{ property: 'stage', filterType: '==', filterValue: 'open' }] },
      { filters: [{ property: 'stage', operator: 'eq', value: 'OPEN' }] },
      { filters: [{ property: 'Stage', condition: 'is', value: 'Open' }] },
      { filters: [{ property: 'stage', op: 'in', value: ['Open'] }] },
      { filters: [{ property: 'stage', filterType: 'is_any_of', filterValue: 'open' }] },
      { filter: { property: 'Stage', status: { equals: 'open' } } },
      { filter: { and: [{ property: 'Stage', select: { equals: 'Open' } }] } },
      { filters: { Stage: 'open' } },
      { filters: [{ property: 'stage', filterType: 'select_isAnyOf', filterValue: '["Open",]' }] },
      { filters: [{ property: 'stage', filterType: 'option', filterValue: 'Open' }] },
    ],
  },
  {
    intent: 'list items without a value',
    right: list('stage', 'isEmpty'),
    mends: /isEmpty/,
    with: COLLECTION,
    calls: [
      { filters: [{ property: 'stage', filterType: 'is_empty' }] },
      { filters: [{ property: 'stage', filterType: 'IsEmpty' }] },
      { filters: [{ property: 'stage', operator: 'is null' }] },
      { filter: { property: 'Stage', select: { is_empty: true } } },
      { filters: [{ property: 'stage', filterType: 'isEmpty', filterValue: true }] },
    ],
  },
  {
    intent: 'list items with a value',
    right: list('stage', 'isNotEmpty'),
    mends: /isNotEmpty/,
    with: COLLECTION,
    calls: [
      { filters: [{ property: 'stage', filterType: 'is_not_empty' }] },
      { filters: [{ property: 'stage', filterType: 'exists' }] },
      { filter: { property: 'Stage', select: { is_empty: false } } },
      { filter: { property: 'Stage', select: { is_not_empty: true } } },
    ],
  },
  {
    intent: 'list items with another option',
    right: list('stage', 'doesNotEqual', 'Open'),
    mends: /doesNotEqual/,
    with: COLLECTION,
    calls: [
      { filters: [{ property: 'stage', filterType: '!=', filterValue: 'Open' }] },
      { filters: [{ property: 'stage', filterType: '<>', filterValue: 'open' }] },
      { filters: [{ property: 'stage', filterType: 'does_not_equal', filterValue: 'Open' }] },
      { filters: [{ property: 'stage', operator: 'is not', value: 'Open' }] },
      { filter: { property: 'Stage', select: { does_not_equal: 'Open' } } },
      { filters: [{ property: 'stage', filterType: 'not_in', filterValue: ['Open'] }] },
    ],
  },
  {
    intent: 'list items from a number on',
    right: list('amount', 'number_greaterOrEqual', 2),
    mends: /number_greaterOrEqual/,
    with: COLLECTION,
    calls: [
      { filters: [{ property: 'amount', filterType: '>=', filterValue: 2 }] },
      { filters: [{ property: 'amount', filterType: '≥', filterValue: '2' }] },
      { filters: [{ property: 'Amount', operator: 'gte', value: 2 }] },
      { filter: { property: 'Amount', number: { greater_than_or_equal_to: 2 } } },
      { filters: [{ property: 'amount', filterType: 'at least', filterValue: 2 }] },
      { filters: [{ property: 'amount', filterType: 'minimum', filterValue: 2 }] },
    ],
  },
  {
    intent: 'list items whose title has a word',
    right: list('title', 'string_contains', 'On'),
    mends: /string_contains/,
    with: COLLECTION,
    calls: [
      { filters: [{ property: 'title', filterType: 'contains', filterValue: 'On' }] },
      { filter: { property: 'title', title: { contains: 'On' } } },
      { filters: [{ property: 'title', operator: 'like', value: 'On' }] },
      { filters: [{ property: 'title', filterType: 'matches', filterValue: 'On' }] },
    ],
  },
  {
    intent: 'list items by what does not fit the property, or by alternatives',
    right: list('day', 'date_isAfter', '2026-01-01'),
    refusedOnly: true,
    mends: /date_isAfter|number_greater|one call for each|isEmpty/,
    with: COLLECTION,
    calls: [
      { filters: [{ property: 'day', filterType: '>=', filterValue: '2026-01-02' }] },
      { filters: [{ property: 'day', filterType: 'contains', filterValue: '2026' }] },
      { filters: [{ property: 'amount', filterType: 'contains', filterValue: 1 }] },
      { filters: [{ property: 'amount', filterType: 'date_isAfter', filterValue: 1 }] },
      { filter: { or: [{ property: 'Stage', select: { equals: 'Open' } }] } },
    ],
  },
  {
    intent: 'sort by a property, the greatest first',
    right: ['items_list', { ...COLLECTION, sortBy: [{ property: 'amount', ascending: false }] }],
    mends: /property/,
    with: COLLECTION,
    calls: [
      { sortBy: ['amount desc'] },
      { sortBy: 'Amount DESC' },
      { sort: '-Amount' },
      { order_by: ['-amount'] },
      { sortBy: '["-amount"]' },
    ],
  },
  {
    intent: 'group by what is no property',
    right: ['items_list', { ...COLLECTION, groupBy: [{ property: 'stage' }] }],
    refusedOnly: true,
    mends: /properties are title, amount, stage, tags, day/,
    with: COLLECTION,
    calls: [{ groupBy: ['sel'] }, { groupBy: 'status' }, { groupBy: [{ property: 'sel' }] }],
  },
  {
    intent: 'add an item with two tags',
    right: ['items_add', { ...COLLECTION, items: [{ title: 'New', properties: { tags: ['a', 'b'] } }] }],
    mends: /tags/,
    with: COLLECTION,
    calls: [
      { items: [{ title: 'New', properties: { tags: 'a, b' } }], allowNewSelectOptions: true },
      { items: [{ title: 'New', properties: { tags: 'A,B' } }] },
      { items: [{ title: 'New', properties: { tags: { multi_select: [{ name: 'a' }, { name: 'b' }] } } }] },
      { items: [{ title: 'New', properties: '{"tags": ["a", "b",]}' }] },
      { items: '```json\n[{"title": "New", "properties": {"tags": ["a", "b"]}}]\n```' },
    ],
  },
  {
    intent: 'add an item with an option that is there in another letter case',
    right: ['items_add', { ...COLLECTION, items: [{ title: 'New', properties: { stage: 'Open' } }] }],
    mends: /stage/,
    with: { ...COLLECTION, allowNewSelectOptions: true },
    calls: [
      { items: [{ title: 'New', properties: { stage: 'open' } }] },
      { items: [{ title: 'New', properties: { stage: ' OPEN ' } }] },
      { items: [{ title: 'New', properties: { stage: { select: { name: 'open' } } } }] },
      { items: [{ title: 'New', properties: { stage: { status: { name: 'Open' } } } }] },
      { items: [{ title: 'New', properties: { stage: ['open'] } }] },
    ],
  },
  {
    intent: 'add an item with options of which one is known',
    right: ['items_add', { ...COLLECTION, items: [{ title: 'New', properties: { tags: ['a', 'z'] } }] }],
    refusedOnly: true,
    mends: /\["a","z"\]/,
    with: { ...COLLECTION, allowNewSelectOptions: true },
    calls: [
      { items: [{ title: 'New', properties: { tags: 'a, z' } }] },
      { items: [{ title: 'New', properties: { tags: ['a, z'] } }] },
    ],
  },
  {
    intent: 'add a task that repeats every day',
    right: ['tasks_add', { tasks: [{ markdown: 'Call', repeat: { type: 'fixed', frequency: 'daily' } }] }],
    mends: /repeat/,
    calls: [
      { tasks: [{ markdown: 'Call', repeat: 'Daily' }] },
      { tasks: [{ markdown: 'Call', repeat: 'every day' }] },
      { tasks: [{ markdown: 'Call', repeat: 'day' }] },
      { tasks: [{ markdown: 'Call', recurrence: 'daily' }] },
      { tasks: [{ markdown: 'Call', repeat: { frequency: 'Day' } }] },
      { content: 'Call', repeat: 'daily' },
      { tasks: '[{"markdown":"Call","repeat":{"type":"fixed","frequency":"daily"},},]' },
    ],
  },
  {
    intent: 'add a task that repeats every second week',
    right: [
      'tasks_add',
      { tasks: [{ markdown: 'Call', repeat: { type: 'fixed', frequency: 'weekly', interval: 2 } }] },
    ],
    mends: /repeat/,
    calls: [
      { tasks: [{ markdown: 'Call', repeat: 'every 2 weeks' }] },
      { tasks: [{ markdown: 'Call', repeat: 'every other week' }] },
      { tasks: [{ markdown: 'Call', repeat: { frequency: 'week', interval: 2 } }] },
    ],
  },
  {
    intent: 'add a task that repeats in words that are no rule',
    right: ['tasks_add', { tasks: [{ markdown: 'Call' }] }],
    refusedOnly: true,
    mends: /frequency|daily/,
    calls: [
      { tasks: [{ markdown: 'Call', repeat: 'sometimes' }] },
      { tasks: [{ markdown: 'Call', repeat: 'every day at 9' }] },
      { tasks: [{ markdown: 'Call', repeat: { type: 'daily', frequency: 'weekly' } }] },
      { tasks: [{ markdown: 'Call', repeat: 'RRULE:FREQ=DAILY' }] },
    ],
  },
  {
    intent: 'make a collection with types of other services',
    right: [
      'collections_add',
      {
        schema: {
          name: 'Bugs',
          properties: [
            { type: 'text', name: 'Text' },
            { type: 'multiSelect', name: 'Tags', options: [{ name: 'x' }] },
            { type: 'phone', name: 'Phone' },
          ],
        },
        ...AT_END,
      },
    ],
    mends: /type/,
    with: AT_END,
    calls: [
      {
        schema: {
          name: 'Bugs',
          properties: [
            { type: 'rich_text', name: 'Text' },
            { type: 'multi_select', name: 'Tags', options: ['x'] },
            { type: 'phone_number', name: 'Phone' },
          ],
        },
      },
      {
        title: 'Bugs',
        properties: {
          Text: { rich_text: {} },
          Tags: { multi_select: { options: [{ name: 'x', color: 'default' }] } },
          Phone: { phone_number: {} },
        },
      },
      {
        schema: {
          name: 'Bugs',
          properties: { Text: 'string', Tags: { type: 'multi-select', options: ['x'] }, Phone: { type: 'Phone' } },
        },
      },
      {
        schema:
          '{"name":"Bugs","properties":[{"type":"text","name":"Text"},{"type":"multiSelect","name":"Tags","options":["x"]},{"type":"phone","name":"Phone"},]}',
      },
    ],
  },
  {
    intent: 'make a collection with a type that there is not',
    right: ['collections_add', { schema: { name: 'Bugs', properties: [] }, ...AT_END }],
    refusedOnly: true,
    mends: /relation|content|number|contentPropDetails|date|fetchMetadata/,
    with: AT_END,
    calls: [
      { schema: { name: 'Bugs', properties: [{ type: 'people', name: 'Who' }] } },
      { schema: { name: 'Bugs', properties: [{ type: 'files', name: 'Files' }] } },
      { schema: { name: 'Bugs', properties: [{ type: 'formula', name: 'Sum' }] } },
      { schema: { name: 'Bugs', properties: [{ type: 'title', name: 'Bug' }] } },
      { schema: { name: 'Bugs', properties: [{ type: 'created_time', name: 'Made' }] } },
      { title: 'Bugs', properties: { Who: { people: {} } } },
      { title: 'Bugs', properties: { Cost: { number: { format: 'dollar' } } } },
    ],
  },
  {
    intent: 'add a view by its words',
    right: [
      'views_add',
      {
        ...COLLECTION,
        view: {
          name: 'Open',
          type: 'table',
          filters: [{ property: 'stage', filterType: 'equals', filterValue: 'Open' }],
          sortBy: [{ property: 'amount', ascending: false }],
        },
      },
    ],
    mends: /view|filterType/,
    with: COLLECTION,
    calls: [
      { view: { title: 'Open', type: 'table', filter: { Stage: 'open' }, sort: '-amount' } },
      {
        view: {
          name: 'Open',
          type: 'list',
          filters: [{ property: 'stage', filterType: '=', filterValue: 'open' }],
          sortBy: ['-amount'],
        },
      },
      {
        name: 'Open',
        type: 'table',
        filters: { property: 'Stage', select: { equals: 'Open' } },
        sortBy: 'amount desc',
      },
    ],
  },
  {
    intent: 'add blocks in JSON with small faults',
    right: [
      'blocks_add',
      {
        blocks: [
          { type: 'text', markdown: 'one' },
          { type: 'text', markdown: 'two' },
        ],
        ...AT_END,
      },
    ],
    mends: /line 1, column/,
    with: AT_END,
    calls: [
      { blocks: '[{"type":"text","markdown":"one"},{"type":"text","markdown":"two"},]' },
      { blocks: '```json\n[{"type":"text","markdown":"one"},{"type":"text","markdown":"two"}]\n```' },
      { blocks: JSON.stringify('[{"type":"text","markdown":"one"},{"type":"text","markdown":"two"}]') },
      { blocks: '[{"type":"text","markdown":"one"},\n{"type":"text","markdown":"two"}\n]\n' },
      { blocks: ['{"type":"text","markdown":"one",}', '{"type":"text","markdown":"two"}'] },
      { blocks: '[{"type":"text","markdown":"one"},{"type":"text","markdown":"two"}' },
      { blocks: "[{'type':'text','markdown':'one'},{'type':'text','markdown':'two'}]" },
    ],
  },
  {
    intent: 'add a code block with raw line ends in JSON',
    right: ['blocks_add', { blocks: [{ type: 'code', rawCode: 'a\n\tb', language: 'python' }], ...AT_END }],
    mends: /blocks/,
    with: AT_END,
    calls: [{ blocks: '[{"type":"code","rawCode":"a\n\tb","language":"python"}]' }],
  },
  {
    intent: 'add an empty item of a list',
    right: ['blocks_add', { markdown: '- ', ...AT_END }],
    mends: /markdown/,
    with: AT_END,
    calls: [
      { blocks: [{ type: 'text', markdown: '- ', listStyle: 'bullet' }] },
      { blocks: [{ type: 'text', markdown: '', listStyle: 'bullet' }] },
      { blocks: [{ type: 'bulleted_list_item', bulleted_list_item: { rich_text: [] } }] },
    ],
  },
  {
    intent: 'change a text, beside a state that is for tasks alone',
    right: ['blocks_update', { blocks: [{ id: '$block', markdown: 'changed' }] }],
    mends: /listStyle/,
    calls: [{ blocks: [{ id: '$block', markdown: 'changed', taskInfo: { state: 'done', scheduleDate: 'today' } }] }],
  },
]
