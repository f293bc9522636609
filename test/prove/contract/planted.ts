/** Faults that are planted between the checks and the product. The rule that is meant must find each of them. */
import type { Answer, Thing } from './answer.ts'
import { GROUPS } from './groups.ts'
import { REST, type Transport } from './rule.ts'
import { RuleContext, type Spoiler } from './rule-context.ts'
import { brokenRules, checkedRules } from './run.ts'
import type { ContractWorld } from './world.ts'

interface Planted {
  fault: string
  /** The beginning of the rule that must find it. */
  finds: string
  /** The transports over which it is planted; all of the rule's if absent. */
  over?: readonly Transport[]
  spoiler: Spoiler
}

/** Calls of a tool have other arguments. */
const asked = (tool: string, change: (args: Fields) => object): Spoiler => ({
  call: (name, args) => (name === tool ? change(args as Fields) : args),
})

/** Answers of a tool that were not refused have another body. */
const answered = (tool: string, change: (body: Thing) => object): Spoiler => ({
  answer: (name, answer) =>
    name === tool && !answer.isRefused ? { ...answer, body: change(answer.body) as Thing } : answer,
})

/** A refused call of a tool is answered as if it had been done. */
const accepted = (tool: string): Spoiler => ({
  answer: (name, answer) => (name === tool && answer.isRefused ? DONE : answer),
})

type Fields = Record<string, unknown>

const DONE: Answer = { isRefused: false, status: 200, error: '', body: {} as Thing, text: '{}', headers: {} }

const eachItem = (change: (item: Thing) => object) => (body: Thing) => ({ ...body, items: body.items.map(change) })

const SWAPPED: Readonly<Record<string, string>> = { before: 'after', after: 'before' }

const PLANTED: readonly Planted[] = [
  {
    fault: 'titles of documents are left out',
    finds: 'GET lists the exposed documents',
    spoiler: answered(
      'documents_list',
      eachItem(({ title: _, ...item }) => item),
    ),
  },
  {
    fault: 'a conflict is answered with 400',
    finds: 'A change of a block that is no longer as it was read',
    over: REST,
    spoiler: { answer: (_, answer) => (answer.status === 409 ? { ...answer, status: 400 } : answer) },
  },
  {
    fault: 'before and after are swapped',
    finds: 'before and after with siblingId',
    spoiler: asked('blocks_add', ({ position, ...args }) => {
      const { position: word, ...place } = position as { position: string }
      return { ...args, position: { ...place, position: SWAPPED[word] ?? word } }
    }),
  },
  { fault: 'the last view is deleted', finds: 'The last view is not deleted', spoiler: accepted('views_delete') },
  { fault: 'a daily note is moved', finds: 'Daily notes are not moved', spoiler: accepted('documents_move') },
  { fault: 'two forms of a position are taken', finds: 'Exactly one form is given', spoiler: accepted('blocks_add') },
  {
    fault: 'a kanban view has any number of groups',
    finds: 'groupBy of a kanban view has exactly one rule',
    spoiler: accepted('views_add'),
  },
  {
    fault: 'maxDepth is ignored',
    finds: 'maxDepth 0 reads the block alone',
    spoiler: asked('blocks_get', ({ maxDepth: _, ...args }) => args),
  },
  {
    fault: 'null is left out of calls',
    finds: 'null takes a color away',
    spoiler: asked('blocks_update', ({ blocks }) => ({
      blocks: (blocks as Fields[]).map(({ color, ...block }) =>
        color === null ? { ...block, font: 'mono' } : { ...block, color },
      ),
    })),
  },
  {
    fault: 'fields that were not sent are reset',
    finds: 'PUT changes only the given fields.',
    spoiler: asked('blocks_update', ({ blocks }) => ({
      blocks: (blocks as Fields[]).map((block) => ({ textAlignment: 'left', ...block })),
    })),
  },
  {
    fault: 'searches ignore letter case always',
    finds: 'caseSensitive is false by default',
    spoiler: asked('blocks_search', ({ caseSensitive: _, ...args }) => args),
  },
  {
    fault: 'context of matches is left out',
    finds: 'beforeBlockCount and afterBlockCount',
    spoiler: asked('blocks_search', ({ afterBlockCount: _, ...args }) => ({ ...args, afterBlockCount: 0 })),
  },
  {
    fault: 'tasks of tomorrow are active',
    finds: 'upcoming lists open tasks',
    spoiler: asked('tasks_list', ({ scope, ...args }) => ({ ...args, scope: scope === 'upcoming' ? 'active' : scope })),
  },
  {
    fault: 'closed tasks stay in the inbox',
    finds: 'An inbox task that is done or canceled',
    spoiler: answered(
      'tasks_update',
      eachItem((item) => ({ ...item, location: { type: 'inbox' } })),
    ),
  },
  {
    fault: 'links lead out of the reach of the connection',
    finds: 'Links to blocks outside the reach',
    spoiler: answered('blocks_get', (body) =>
      JSON.parse(JSON.stringify(body).replaceAll('invalid:out_of_scope', 'block://999999999999')),
    ),
  },
  {
    fault: 'what is out of reach has words of its own',
    finds: 'What lies outside the reach of a connection',
    spoiler: {
      answer: (_, answer, args) =>
        answer.isRefused && !JSON.stringify(args).includes('999999999999')
          ? { ...answer, error: `${answer.error} It is out of reach.` }
          : answer,
    },
  },
  {
    fault: 'lists are cut at a hundred items',
    finds: 'Without a limit in the call, GET /items',
    spoiler: answered('items_list', ({ items, ...body }) => ({ ...body, items: items.slice(0, 100) })),
  },
  {
    fault: 'new options are always added',
    finds: 'An option that the schema lacks is refused',
    spoiler: asked('items_add', (args) => ({ ...args, allowNewSelectOptions: true })),
  },
  {
    fault: 'the filter of documents always includes',
    finds: 'documentFilterMode exclude leaves those documents out',
    spoiler: {
      call: (_, args) => {
        const { documentFilterMode: __, ...others } = args as Fields
        return others
      },
    },
  },
  {
    fault: 'bounds of dates are exclusive',
    finds: 'The filters by dates of creation and change',
    spoiler: asked('documents_list', (args) =>
      Object.fromEntries(Object.entries(args).map(([key, value]) => [key, key.endsWith('Gte') ? 'tomorrow' : value])),
    ),
  },
  {
    fault: 'reminders come in pages of two hundred',
    finds: 'limit is 50 by default',
    spoiler: asked('reminders_list', (args) => ({ limit: 200, ...args })),
  },
  {
    fault: 'names of files are lost',
    finds: 'fileName is the title of a file',
    spoiler: asked('files_add', ({ fileName: _, ...args }) => args),
  },
  {
    fault: 'changed elements lose their other keys',
    finds: 'PUT changes only the given keys of elements',
    spoiler: answered('elements_update', ({ elements, ...body }) => ({
      ...body,
      elements: elements.map(({ id, x }) => ({ id, x })),
    })),
  },
  {
    fault: 'all views are active',
    finds: 'isActive is true of the active view alone',
    spoiler: answered('views_list', ({ views, ...body }) => ({
      ...body,
      views: views.map((view) => ({ ...view, isActive: true })),
    })),
  },
  {
    fault: 'the time is an hour late',
    finds: 'GET /connection answers with the current time',
    spoiler: answered('connection_get', (body) => ({ ...body, utc: { time: '2026-11-20T08:00:00.000Z' } })),
  },
  {
    fault: 'a 429 does not say when to retry',
    finds: 'A 429 has the header Retry-After',
    spoiler: {
      answer(_, { headers: { 'retry-after': __, ...headers }, ...answer }) {
        return { ...answer, headers }
      },
    },
  },
  {
    fault: 'a limit that is reached over MCP does not say when to retry',
    finds: 'Over MCP, the sentence of a reached limit',
    spoiler: { answer: (_, answer) => ({ ...answer, error: answer.error.replace(/ Retry after.*/, '') }) },
  },
]

export interface MissedFaults {
  count: number
  missed: string[]
  /** The first fault that was found, as its rule reports it. */
  first: string
}

/** Plants each fault, over each connection of its rule. */
export async function missedFaults(world: ContractWorld): Promise<MissedFaults> {
  const missed: string[] = []
  let first = ''
  for (const { fault, finds, over, spoiler } of PLANTED) {
    const rules = checkedRules(GROUPS)
      .filter(({ rule }) => rule.statement.startsWith(finds))
      .map(({ number, rule }) => ({ number, rule: { ...rule, ...(over !== undefined && { over }) } }))
    const counts = { checks: 0, calls: 0 }
    const faults = await brokenRules(world, rules, counts, spoiler)
    first ||= faults[0] ?? ''
    if (counts.checks === 0) missed.push(`no rule begins with "${finds}"`)
    else if (faults.length < counts.checks)
      missed.push(`${fault}: found by ${faults.length} of ${counts.checks} checks`)
  }
  return { count: PLANTED.length, missed, first }
}

/** The rules that hold although every call is answered with success and nothing else: such a check checks nothing. */
export async function vacuousRules(world: ContractWorld): Promise<string[]> {
  const vacuous: string[] = []
  for (const { number, rule } of checkedRules(GROUPS)) {
    const connection = world.connections.find(
      ({ kind, transport }) => rule.kinds?.includes(kind) !== false && rule.over?.includes(transport) !== false,
    )
    if (connection === undefined) {
      vacuous.push(`${number} holds for no connection`)
      continue
    }
    const { now } = world.clock
    const isKept = await rule.check(new RuleContext(world, connection, { answer: () => DONE })).then(
      () => true,
      () => false,
    )
    world.clock.now = now
    if (isKept) vacuous.push(`${number} holds of empty answers: "${rule.statement}"`)
  }
  return vacuous
}
