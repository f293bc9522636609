/**
 * Things that left the reach of a connection must be answered as if they had never existed: replays of calls with
 * idempotency keys, addresses of files and for uploads, resources, and change notifications.
 */

import { type AccessLink, OPERATOR_LINK, type Space } from '../../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../../src/space/open-space.ts'
import { endpoints } from '../../../tools/index.ts'
import { connectionOf } from '../../sqlite.ts'
import { askForAll } from '../../whole-answer.ts'
import { askToPropose } from '../test-client/proposing.ts'
import { ask, call, endpointNamed, type RestInput, requestFor, type TestClient } from '../test-client/test-client.ts'
import {
  done,
  makeDay,
  makeDocument,
  makePlaces,
  makeProposals,
  makeThings,
  NOUNS,
  NOW,
  type Things,
} from '../test-client/things.ts'
import { type ToolCall, validCalls } from '../test-client/valid-calls.ts'
import { differing } from './compare.ts'
import { methodName, type OpenedConnection, openConnection, type VersionedMethod } from './connection-methods.ts'
import { addressesOf } from './entries.ts'
import { isOfChange, waitUntil, withFrequentPolling } from './listening.ts'
import { addressesIn, answerTo, keyed, type Sent } from './requests.ts'

/**
 * The ways in which reach ends: other documents are exposed, the link is revoked, or the document goes to the trash.
 */
export const ENDINGS = ['unexposed', 'thrown away', 'revoked'] as const
export type Ending = (typeof ENDINGS)[number]

export interface Ended {
  /** How many requests were repeated. */
  repeated: number
  faults: string[]
}

export interface EndedOptions extends VersionedMethod {
  kind: 'selected' | 'daily'
  ending: Ending
  /** The access of the connection, `full` if absent. */
  access?: AccessLink['access']
  /** Plants a fault in the space that calls run on. */
  plant?(space: OpenSpace): OpenSpace
  /** Plants the fault that nothing ends the reach. */
  lastsOn?: true
}

/**
 * Reports whether reach can end in this way: over stdio, the exposed documents are fixed, and daily notes are not
 * exposed one by one.
 */
export const canEnd = ({ kind, door, ending }: EndedOptions): boolean =>
  ending === 'thrown away' || (door !== 'stdio' && (ending === 'revoked' || kind === 'selected'))

/** Words in the content that leaves the reach, and in the content that stays. */
const LOST = 'xylophone'
const OWN = 'words'
const OWN_FILE = `/${OWN}.png`

export async function ended(options: EndedOptions): Promise<Ended> {
  const { kind, ending, access = 'full', plant = (space) => space, lastsOn, ...way } = options
  const clock = { now: NOW }
  const space = await openSpace(':memory:', { name: 'End', timezone: 'Europe/Budapest', clock: () => clock.now })
  const full = await ask(space, { ...(await space.createAccessLink('full', [], 'maker')), id: 'maker' })
  const document = (date: string, word: string) =>
    kind === 'daily' ? makeDay(full, date, word) : makeDocument(full, word)
  const own = await makeThings(full, await document('today', OWN), OWN, await makePlaces(full, OWN))
  const lost = await makeThings(full, await document('yesterday', LOST), LOST, await makePlaces(full, LOST))
  // The proposals for the lost content are first in the queue. The others are never decided on.
  for (const things of [lost, own]) {
    const exposed = kind === 'selected' ? [things.document] : []
    const near = await askToPropose(space, { kind, documents: exposed, hasLink: way.door !== 'stdio' })
    Object.assign(things, await makeProposals(near, things.document, things === lost ? LOST : OWN))
    await near.close()
  }
  const documents = kind === 'selected' ? [own.document, lost.document] : []
  const as = plant(withFrequentPolling(space))
  const opened = await openConnection({ ...way, space, as, kind, access, documents, clock: () => clock.now })
  const { client } = opened
  const name = `${kind}, ${methodName(way)}, ${ending}`
  try {
    await client.listen([...addressesOf(own), ...addressesOf(lost)])
    const before = await askOfLost(client, kind, lost)
    const secrets = await space.read(OPERATOR_LINK, (view) => idsOf(view, lost))
    // A selected connection may learn that one of its documents is in the trash, including the ID.
    if (kind === 'selected' && ending === 'thrown away') secrets.delete(lost.document)
    if (access === 'propose') await rejectSome(full)
    if (lastsOn === undefined) await end(full, opened, ending, { own, lost })
    clock.now += 1_000
    const again = new Again(client, secrets, lost.document)
    await again.repeat(before, ending)
    if (ending !== 'revoked') again.faults.push(...(await expectLossNotices(full, client, { own, lost })))
    return { repeated: again.sent, faults: again.faults.map((fault) => `${name}: ${fault}`) }
  } finally {
    await opened.close()
    await full.close()
    await space.close()
  }
}

/**
 * Requests from before the end, each with the same request for things that never existed, and data from the responses.
 */
interface Before {
  pairs: { sent: Sent; ofNothing: Sent; replaced: ReadonlyMap<string, string> }[]
  /** Paths of addresses of files and of addresses for uploads. */
  addresses: string[]
  faults: string[]
}

/** Rejects some proposals, so that the same connection can make more. */
async function rejectSome(full: TestClient): Promise<void> {
  const { object } = await call(full, 'proposals_list', { limit: 20 })
  for (const { proposalId } of object.items as { proposalId: string }[]) {
    await full.rest({ method: 'POST', target: `/proposals/${proposalId}/reject` })
  }
}

/** Unknown IDs of the same length as the real ones. */
const NOTHING = Object.fromEntries(
  [...NOUNS, 'secondItem'].map((noun, index) => [noun, `9999999999${10 + index}`]),
) as unknown as Things

async function askOfLost(client: TestClient, kind: EndedOptions['kind'], lost: Things): Promise<Before> {
  const nothing = { ...NOTHING, revision: lost.revision }
  const replaced = new Map([...NOUNS.map((noun) => lost[noun]), ...Object.values(NOTHING)].map((id) => [id, '(ID)']))
  const before: Before = { pairs: [], addresses: [], faults: [] }
  const add = async (sent: Sent, ofNothing: Sent) => {
    const response = await answerTo(client, sent)
    before.pairs.push({ sent, ofNothing, replaced })
    for (const path of addressesIn(response)) {
      if (!path.endsWith(OWN_FILE) && !before.addresses.includes(path)) before.addresses.push(path)
    }
  }
  const calls = callsOf(kind, lost)
  for (const [index, unknown] of callsOf(kind, nothing).entries()) {
    const known = calls[index] as ToolCall
    await add(overMcp(known, `key-${index}`), overMcp(unknown, `other-${index}`))
    const [rest, otherRest] = [
      overRest(client, known, `rest-${index}`),
      overRest(client, unknown, `rest-other-${index}`),
    ]
    if (rest !== undefined && otherRest !== undefined) await add(rest, otherRest)
  }
  for (const [index, uri] of addressesOf(lost).entries()) {
    const read = (address: string): Sent => ({ to: 'mcp', method: 'resources/read', params: { uri: address } })
    await add(read(uri), read(addressesOf(nothing)[index] ?? ''))
  }
  if (client.at === undefined) return before
  // A link that only comments gets no address to upload to.
  for (const what of client.link.access === 'comment' ? ['files'] : ['files', 'uploads']) {
    const path = before.addresses.find((one) => one.startsWith(`/${what}/`))
    if (path === undefined) before.faults.push(`no answer gives an address under /${what}`)
    else if (what === 'files' && !(await answerTo(client, atServer(path))).startsWith('200 ')) {
      before.faults.push(`${path} does not answer with the file while it is within reach`)
    }
  }
  return before
}

/** Adds a call that returns an upload address, on connections to a server. */
const callsOf = (kind: EndedOptions['kind'], things: Things): ToolCall[] => [
  ...validCalls(kind, things),
  ['files_add', { fileName: 'later.txt', position: { position: 'end', pageId: things.document } }],
]

const overMcp = ([name, args]: ToolCall, key: string): Sent =>
  keyed({ to: 'mcp', method: 'tools/call', params: { name, arguments: { ...askForAll(name), ...args } } }, key)

function overRest(client: TestClient, [tool, args]: ToolCall, key: string): Sent | undefined {
  const request = requestFor(endpointNamed(client.table, tool), args)
  return request && keyed({ to: 'rest', request }, key)
}

/** A request for a file, or an upload to an address that waits for a file. */
const atServer = (target: string): Sent => {
  const isUpload = target.startsWith('/uploads/')
  const request: RestInput = isUpload
    ? { method: 'PUT', target, headers: { 'content-type': 'text/plain' }, body: 'timeout' }
    : { method: 'GET', target }
  return { to: 'server', request }
}

async function end(
  full: TestClient,
  { expose, revoke }: OpenedConnection,
  ending: Ending,
  { own, lost }: Record<'own' | 'lost', Things>,
) {
  if (ending === 'thrown away') await done(full, 'documents_delete', { documentIds: [lost.document] })
  else if (ending === 'revoked') await revoke?.()
  else await expose?.([own.document])
}

/** Returns the IDs of everything in the document, the IDs of the proposals that would change it, and its word. */
async function idsOf({ tx }: Space, { document, proposal, otherProposal }: Things): Promise<Set<string>> {
  const ofBlocks = `SELECT n, id FROM block WHERE document = (SELECT n FROM block WHERE id = ?)`
  const found = connectionOf(tx).sql<{ id: number }>(
    `WITH inside AS (${ofBlocks}) SELECT id FROM inside
     UNION SELECT comment.id FROM comment JOIN inside ON inside.n = comment.block
     UNION SELECT reminder.id FROM reminder JOIN inside ON inside.n = reminder.block
     UNION SELECT view.id FROM view JOIN inside ON inside.n = view.collection
     UNION SELECT file.id FROM file JOIN block_file ON block_file.file = file.n JOIN inside ON inside.n = block_file.block`,
  )
  return new Set([LOST, proposal, otherProposal, ...found.all(document).map(({ id }) => String(id))])
}

/** Repeats the requests from before the end. */
class Again {
  readonly faults: string[] = []
  sent = 0
  readonly #client: TestClient
  readonly #secrets: ReadonlySet<string>
  readonly #lost: string
  readonly #known = new Set<string>()

  /** @param lost  the ID of the document, which the feed may report as gone */
  constructor(client: TestClient, secrets: ReadonlySet<string>, lost: string) {
    this.#client = client
    this.#secrets = secrets
    this.#lost = lost
  }

  async repeat({ pairs, addresses, faults }: Before, ending: Ending): Promise<void> {
    this.faults.push(...faults)
    for (const { sent, ofNothing, replaced } of pairs) {
      const what = JSON.stringify(sent)
      const response = await this.#ask(sent)
      const isFeed = sent.to === 'rest' && sent.request.target.startsWith('/changes')
      const isSecret = (one: string) => response.includes(one) && !what.includes(one) && !(isFeed && one === this.#lost)
      const secret = [...this.#secrets].find(isSecret)
      if (secret !== undefined) {
        this.#fault(nameOf(sent), `${what} is still answered with ${secret}: ${shownNear(response, secret)}`)
      }
      if (ending === 'revoked' && !isUnknownLink(response))
        this.#fault(nameOf(sent), `${what} is still answered: ${response}`)
      const plain = (text: string) => [...replaced].reduce((left, [id, word]) => left.replaceAll(id, word), text)
      // A call that names nothing lost is the same call for both, and may have run. Deleted content is as good as lost.
      if (plain(what) === what || secret !== undefined || isDeletion(sent) || isConflict(response)) continue
      this.#same(nameOf(sent), what, unmeasured(plain(response)), unmeasured(plain(await this.#ask(ofNothing))))
    }
    for (const path of addresses) {
      const result = await this.#ask(atServer(path))
      if (!path.startsWith('/uploads/')) this.#same('files', path, result, await this.#ask(atServer(nowhere(path))))
      // The response may say that the position is out of reach: the caller who got the address had named it.
      else if (!result.startsWith('404 ')) this.#fault('uploads', `${path} still takes a file: ${result}`)
    }
    for (const method of ['resources/list', 'tools/list']) {
      const answer = await this.#ask({ to: 'mcp', method, params: {} })
      const secret = [...this.#secrets].find((one) => answer.includes(one))
      if (secret !== undefined) this.#fault(method, `${method} still shows ${secret}`)
    }
  }

  async #ask(sent: Sent): Promise<string> {
    this.sent += 1
    return answerTo(this.#client, sent)
  }

  #same(name: string, what: string, text: string, missing: string): void {
    if (text === missing) return
    const [one, other] = differing(text, missing)
    this.#fault(name, `${what} is answered ${one}, and of what never was ${other}`)
  }

  /** Reports only the first fault for each kind of request. */
  #fault(name: string, fault: string): void {
    if (this.#known.has(name)) return
    this.#known.add(name)
    this.faults.push(fault)
  }
}

const nameOf = (sent: Sent): string => {
  if (sent.to === 'mcp') return `${sent.method} ${sent.params.name}`
  return `${sent.request.method} ${sent.request.target.replace(/[0-9a-f-]{36}|\b\d{12}\b|\?.*/g, '')}`
}

const shownNear = (text: string, secret: string): string => {
  const at = text.indexOf(secret)
  return `…${text.slice(Math.max(0, at - 100), at + 100)}…`
}

const isDeletion = (sent: Sent): boolean =>
  sent.to === 'mcp' ? DELETIONS.has(String(sent.params.name)) : sent.request.method === 'DELETE'

const DELETIONS = new Set(endpoints.filter(({ effect }) => effect === 'delete').map(({ name }) => name))

/**
 * True for the response that says that the call ran when it was first sent. Its caller knows that, and the response
 * does not show the present state.
 */
const isConflict = (text: string): boolean =>
  /^409 |"isError":true/.test(text) && text.includes('Expected to reach what the call with the idempotency key')

const isUnknownLink = (text: string): boolean => /^401 |"http":\{"status":401/.test(text)

/** Removes the length of the content: IDs of elements differ in length from other IDs. */
const unmeasured = (text: string): string => text.replace(/"content-length":"\d+"/g, '"content-length":"…"')

/** Replaces the secret in the address of a file by an invalid one. */
const nowhere = (path: string): string => path.replace(/^(\/files\/.{22}).{22}/, `$1${'x'.repeat(22)}`)

/**
 * Changes something lost, then something still within reach. A connection notified only of the second was not notified
 * of the first.
 */
async function expectLossNotices(
  full: TestClient,
  client: TestClient,
  { own, lost }: Record<'own' | 'lost', Things>,
): Promise<string[]> {
  const from = client.received.length
  const changes = [lost, own].map((things) => ({ id: things.page, title: 'changed' }))
  // Blocks deleted by earlier calls are not changed.
  for (const block of changes) await done(full, 'blocks_update', { blocks: [block] })
  const received = () => client.received.slice(from).filter(isOfChange)
  const isNotified = () => received().some(({ params }) => params?.uri === addressesOf(own)[0])
  if (!(await waitUntil(isNotified))) return ['it hears nothing of what is still within reach']
  const unexpected = received().find(({ params }) => addressesOf(lost).includes(params?.uri ?? ''))
  return unexpected === undefined ? [] : [`it still hears of ${unexpected.params?.uri}`]
}
