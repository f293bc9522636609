/**
 * The laws of parts, over generated proposals of all writing tools with edits of the documents in between: accepting all
 * parts, in any order, equals approving the whole or is refused with a reason, and nothing happens that was not shown.
 *
 * `FC_PROPOSALS=10000` decides on that many proposals.
 */
import { expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import type { AccessLink } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import type { ProposedPart } from '../../src/space/proposals/parts/list-parts.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import type { Answer } from '../connect.ts'
import { nextCall } from '../prove/calls/calls.ts'
import { Chooser } from '../prove/calls/chooser.ts'
import { Learned } from '../prove/calls/learned.ts'
import { readings } from '../schemas/readings.ts'

const catalog = toolCatalogFor(endpoints, 'full')
const isLong = process.env.FC_RUNS === 'long'
const PROPOSALS = Number(process.env.FC_PROPOSALS ?? (isLong ? 600 : 6))
const SEED = Number(process.env.FC_SEED ?? 1)
/** Calls that fill a space, proposals that wait in it together, and calls of others after each of them. */
const [CALLS, WAITING, EDITS] = [14, 3, 2]

interface World {
  space: OpenSpace
  person: AccessLink
  proposals: string[]
}

/** Makes a space with proposals in it, and edits of its documents after them: always the same for a seed. */
async function worldOf(seed: number): Promise<World> {
  const { space } = await buildSpace()
  const person = await space.createAccessLink('full', [], 'Anna')
  const agent = await space.createAccessLink('full', [], 'Robot', 'propose')
  const chooser = new Chooser(seed)
  const learned = new Learned()
  const make = async (link: AccessLink) => {
    const { tool, args } = nextCall(chooser, learned.pools)
    const answer = await call(space, link, tool, args)
    if (!('refused' in answer)) learned.learn({ tool, args }, answer)
    return answer
  }
  /** Proposes several calls together, or an edit of the text of a page. */
  const makeSeveral = async (link: AccessLink) => {
    const id = chooser.any(learned.pools.pages)
    if (id === undefined || chooser.once(2)) {
      const steps = chooser.times(3, () => nextCall(chooser, learned.pools))
      const given = steps.map(({ tool, args }) => ({ tool, arguments: args }))
      return call(space, link, 'batch', { steps: given })
    }
    const { text, revision } = await textOf(space, link, id)
    return call(space, link, 'blocks_update', { pageId: id, markdown: editText(chooser, text), revision })
  }
  for (let count = 0; count < CALLS; count++) await make(person)
  const proposals: string[] = []
  while (proposals.length < WAITING) {
    const { proposal } = chooser.once(2) ? await make(agent) : await makeSeveral(agent)
    if (proposal === undefined) continue
    proposals.push(proposal.proposalId)
    // In half of the spaces others go on.
    if (seed % 2 === 0) for (let count = 0; count < EDITS; count++) await make(person)
  }
  return { space, person, proposals }
}

async function textOf(space: OpenSpace, link: AccessLink, id: string): Promise<{ text: string; revision: string }> {
  const options = { space, link }
  const get = catalog.get('blocks_get')
  const answer = await runCall(get, { id, format: 'markdown', maxBlocks: 500 }, options).catch(() => undefined)
  if (answer === undefined || !('text' in answer)) return { text: '', revision: '' }
  return { text: String(answer.text.body), revision: /Revision (\S+)\./.exec(answer.text.note ?? '')?.[1] ?? '' }
}

/** Changes, removes, moves and adds lines of a text, between its tags. */
function editText(chooser: Chooser, text: string): string {
  const lines = text.split('\n')
  const isFree = (line: string | undefined) => line !== undefined && !/^\s*<|^\s*$/.test(line)
  chooser.times(4, () => {
    const free = lines.flatMap((line, index) => (isFree(line) ? index : []))
    const at = chooser.any(free)
    const added = ['', `${chooser.one(WORDS)} ${chooser.one(WORDS)}`]
    if (at === undefined) return
    switch (chooser.number(5)) {
      case 0:
        return void lines.splice(at, 1, `${lines[at]} ${chooser.one(WORDS)}`)
      case 1:
        return void lines.splice(at, 1)
      case 2:
        return void lines.splice(chooser.one(free), 0, ...lines.splice(at, 1), '')
      case 3:
        return void lines.splice(at, 1, chooser.one(WORDS))
      default:
        return void lines.splice(at + 1, 0, ...added, ...(chooser.once(2) ? ['', '- item', '- item two'] : []))
    }
  })
  return lines.join('\n')
}
const WORDS = ['alder', 'birch', 'cedar', '**elm**', '# fir', '> hazel']

/** Makes a call. A refusal is an answer, too. */
async function call(space: OpenSpace, link: AccessLink, tool: string, args: object, dryRun = false): Promise<Answer> {
  try {
    const endpoint = catalog.find(tool)
    if (endpoint === undefined) throw new Error(`Expected an endpoint, found ${tool}.`)
    const answer = await runCall(endpoint, args, { space, link }, { dryRun, wholeDiff: true })
    return 'object' in answer ? answer.object : JSON.parse(answer.text.body)
  } catch (error) {
    if (error instanceof ScriptoriumError) return { refused: error.message }
    throw error
  }
}

/** Reads all content. Calls, and what waits, differ between one decision and several. */
const contentOf = async (space: OpenSpace): Promise<string[]> =>
  (await readings(space))
    .filter(
      ({ asked }) => !/^full (proposals|history_list|changes_list|connection_get|for_me)|^(log|links)/.test(asked),
    )
    .map(({ asked, answer }) =>
      `${asked} ${JSON.stringify(inOrder(asked, answer), sortColumns)}`.replace(REVISION, '').replace(NEW_ID, 'new'),
    )
    .map(sortRelations)
    // Documents are read in the order of their list.
    .sort()

/** The other sides of relations and links, and their columns, have the order in which they were made. */
const sortRelations = (text: string): string =>
  text
    .replace(
      /(relations|linkedFrom)(\\*"):\[(.*?)\]/g,
      (_, key: string, quote: string, list: string) => `${key}${quote}:[${sorted(list, '},{')}]`,
    )
    .replace(
      /(<property name=[^>]*>|<properties>)(.*?)(<\/propert(?:y|ies)>)/g,
      (_, start: string, list: string, end: string) => start + sorted(list, ', ') + end,
    )

function sortColumns(key: string, value: unknown): unknown {
  if (key !== 'properties' || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((column) => JSON.stringify(column)).sort()
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const sorted = (list: string, between: string): string =>
  list
    .replace(/^\{|\}$/g, '')
    .split(between)
    .sort()
    .join(between)

/** What has no other order has the one in which it was made or changed, such as tasks of the same time. */
const inOrder = (asked: string, answer: Answer): Answer => {
  if (/^full documents_search .*"regexps"/.test(asked)) return (answer.items ?? []).map(sortMatches)
  return /^(documents|full (documents|collections|reminders|folders|tasks|comments)_list)/.test(asked)
    ? (answer.items ?? answer).map((item: object) => JSON.stringify(sortFolders(item), sortColumns)).sort()
    : answer
}

/** A pattern finds the blocks of a document in the order in which they were made, and quotes the first one. */
const sortMatches = ({ markdown: _, blockIds = [], blocks = [], ...item }: Answer): object => ({
  ...item,
  blockIds: [...blockIds].sort(),
  blocks: blocks.map((block: object) => JSON.stringify(block)).sort(),
})

const sortFolders = (item: { folders?: object[] }): object =>
  item.folders ? { ...item, folders: item.folders.map((inner) => JSON.stringify(sortFolders(inner))).sort() } : item

/** The ID of what a proposal makes since the one before it, which would have made it, was not approved yet. */
const NEW_ID = /(?<!\d)(?!100000000)[1-9]\d{11}(?!\d)/g
/** Several calls increment revisions more often than one, and number blocks in another order. */
const REVISION = /\\*"revision\\*":\\*"\d+\\*",?|\\*"at\\*":\d+/g

/** Where two contents differ. */
function difference(found: readonly string[], expected: readonly string[]): string[] {
  const index = found.findIndex((line, at) => line !== expected[at])
  const [one = '', other = ''] = [found[index], expected[index]]
  if (one === other && found.length === expected.length) return []
  const at = [...one].findIndex((_, place) => one[place] !== other[place])
  return [one, other].map((line) => `${line.slice(0, 80)} … ${line.slice(Math.max(0, at - 200), at + 200)}`)
}

/** Approves all that waits of a proposal. @returns why not, if it is refused */
async function approveWhole({ space, person }: World, proposalId: string): Promise<string | undefined> {
  const { fingerprint, refused } = await call(space, person, 'proposals_approve', { proposalId }, true)
  if (refused !== undefined) return refused
  return (await call(space, person, 'proposals_approve', { proposalId, fingerprint })).refused
}

/** Accepts the parts of a proposal in a random order, as long as one can be accepted. @returns why some were not */
async function acceptParts(world: World, proposalId: string, chooser: Chooser): Promise<string[]> {
  const { space, person } = world
  for (;;) {
    const { items = [] } = (await call(space, person, 'proposals_parts', { proposalId })) as { items?: ProposedPart[] }
    let accepted = 0
    // What was read once stays true for the others, unless they need what was accepted.
    for (const part of chooser.shuffled(items)) {
      if (part.fingerprint !== undefined && (await acceptShown(world, part, chooser))) accepted++
    }
    decided += accepted
    if (accepted === 0) return items.map(reasonOf)
  }
}

function reasonOf({ part, refused, waitsFor, after }: ProposedPart): string {
  const reason = refused ?? waitsFor?.join(', ') ?? (String(after).length > 1_000 ? 'too long' : undefined)
  expect(reason, `a reason for ${part}`).toBeDefined()
  return String(reason)
}

/** The first line without what marks its kind: a task that is a page reads as a tag. */
const firstWords = (text: unknown): string =>
  (String(text).split('\n')[0] ?? '').replace(/^(?:\s*(?:[-*+>]|#+|\d+\.|\[[ x-]\])\s+)+/, '')

/** Accepts a part, and checks that what it did is what it has shown. @returns false if it would do something else */
async function acceptShown(world: World, shown: ProposedPart, chooser: Chooser): Promise<boolean> {
  const { space, person } = world
  const { proposalId, part, fingerprint, kind, blockId, before, after } = shown
  const approval = { proposalId, parts: [part] }
  const rehearsed = chooser.once(4) ? await call(space, person, 'proposals_approve', approval, true) : undefined
  const was = await textOf(space, person, String(blockId))
  const done = await call(space, person, 'proposals_approve', { ...approval, fingerprint })
  if (done.refused !== undefined) return false
  const { items, diff } = await call(space, person, 'history_list', { call: done.callId })
  expect(items[0]).toMatchObject({ author: 'Robot', approvedBy: 'Anna' })
  if (rehearsed !== undefined) expect(diff).toBe(rehearsed.dryRun.diff)
  const is = await textOf(space, person, String(blockId))
  if (kind === 'added' && is.text !== '') expect(is.text).toContain(firstWords(after))
  if (kind === 'removed' && was.text !== '') expect(was.text).toContain(firstWords(before))
  // Read by itself, a board or a collection is a tag with its ID, and what has changed in it stands in the details.
  if (kind === 'changed' && is.text !== '' && after !== undefined && !String(after).startsWith('<'))
    expect(is.text).toContain(firstWords(after))
  return true
}

let decided = 0

test('accepting all parts in any order equals approving the whole, or is refused with a reason', {
  timeout: 36_000_000,
}, async () => {
  const found = { proposals: 0, equal: 0, several: 0, partly: 0, refused: 0 }
  for (let seed = SEED; found.proposals < PROPOSALS; seed++) {
    const [whole, parted] = [await worldOf(seed), await worldOf(seed)]
    const chooser = new Chooser(seed)
    // Decided in any order.
    const order = chooser.shuffled(whole.proposals)
    expect(parted.proposals).toEqual(whole.proposals)
    let equal = 0
    for (const proposalId of order) {
      found.proposals++
      const refused = await approveWhole(whole, proposalId)
      const before = decided
      const reasons = await acceptParts(parted, proposalId, chooser)
      if (decided - before > 1) found.several++
      if (refused !== undefined || reasons.length > 0) {
        if (reasons.length > 0 && refused === undefined) found.partly++
        else found.refused++
        break
      }
      equal++
    }
    // Comparing takes longer than all else. After a refusal they are two different spaces.
    if (equal === order.length) {
      const different = difference(await contentOf(parted.space), await contentOf(whole.space))
      expect(different, `seed ${seed}`).toEqual([])
    }
    found.equal += equal
    await whole.space.close()
    await parted.space.close()
  }
  if (isLong || process.env.FC_PROPOSALS !== undefined)
    process.stdout.write(`${JSON.stringify({ ...found, decided })}\n`)
  expect(found.several).toBeGreaterThan(0)
  expect(found.equal).toBeGreaterThan(found.proposals / 2)
})
