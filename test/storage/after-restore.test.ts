/** What from before a restore stays valid, and what ends: each row of the table in docs/backup.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { getActiveLink } from '../../src/auth/access-links/access-links.ts'
import { newSession, openSession, sealSession, sessionOwner } from '../../src/auth/browser-sessions/browser-session.ts'
import { generateIds, newUuid } from '../../src/space/model/ids.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { indexedText } from '../../src/space/search/indexed-text.ts'
import { nextMessages } from '../../src/webhooks/webhook-messages.ts'
import { addWebhook } from '../../src/webhooks/webhooks.ts'
import { activeParticipants } from '../../storage/participants.ts'
import { passwordOfParticipant, setPassword } from '../../storage/passwords.ts'
import { createBackup } from '../../storage/sqlite/copies/backup.ts'
import { restoreSpace } from '../../storage/sqlite/copies/restore.ts'
import { webhookById } from '../../storage/webhooks.ts'
import { buildSpace, NOW } from '../build.ts'
import { type Connected, connect } from '../connect.ts'
import { makeLink, type Serving, serveBuilt, type TestLink } from '../http/serving.ts'
import { folder } from '../program.ts'

/** Draws IDs by chance, so that those of a restored space do not repeat earlier ones. */
const BY_CHANCE = { newUuid, generateIds: generateIds }
const KEY = { 'scriptorium/idempotencyKey': 'k' }
const pathOf = (url: string): string => new URL(url).pathname

interface Side {
  serving: Serving
  space: OpenSpace
  full: Connected
}

async function openSide(file: string): Promise<Side> {
  const built = await buildSpace(file, BY_CHANCE)
  const full = await connect('full', { to: built })
  return { serving: await serveBuilt({ to: built }), space: built.space, full }
}

const statusAt = async ({ serving }: Side, url: string, init?: RequestInit): Promise<number> =>
  (await fetch(`${serving.server.origin}${pathOf(url)}${new URL(url).search}`, init)).status

/** Returns what a webhook would send, and the secret that would sign it. */
const messagesOf = (space: OpenSpace, id: string) =>
  space.read(OPERATOR_LINK, async (view) => {
    const webhook = await webhookById(view.tx, id)
    const batch = webhook && (await nextMessages(view, webhook, 10))
    return batch && { secret: webhook.secret, ids: batch.messages.map(({ message }) => message.id) }
  })

const hasPassword = (space: OpenSpace): Promise<boolean> =>
  space.read(OPERATOR_LINK, async ({ tx }) => {
    const [owner] = await activeParticipants(tx)
    return (await passwordOfParticipant(tx, owner?.n ?? 0)) !== undefined
  })

interface Waiting {
  proposalId: string
  fingerprint: string
  linkId?: string
}

/** Whether the proposal that was made over a link, or the other one, still waits as it was. */
async function isWaiting({ full }: Side, before: readonly Waiting[], isOfLink: boolean): Promise<boolean> {
  const proposal = before.find(({ linkId }) => (linkId !== undefined) === isOfLink)
  const items: Waiting[] = (await full.call('proposals_list')).items
  return items.some(
    ({ proposalId, fingerprint }) => proposalId === proposal?.proposalId && fingerprint === proposal.fingerprint,
  )
}

interface Collected {
  /** By row of the table: whether it is still valid on the other side. */
  tries: Record<string, (after: Side) => Promise<boolean>>
  link: TestLink
}

/** Collects one of everything that clients keep. */
async function collect(before: Side): Promise<Collected> {
  const { serving, space, full } = before
  const link = await makeLink({ space }, serving.server.origin)
  const hook = await space.write(OPERATOR_LINK, (view) =>
    addWebhook(view, link.info.id, 'https://hooks.example/a', undefined),
  )
  await space.write(OPERATOR_LINK, async ({ tx }) => {
    const [owner] = await activeParticipants(tx)
    await setPassword(tx, { participant: owner?.n ?? 0, hash: 'hash', changedAt: NOW })
  })
  const added = await link.ask('POST /documents', {
    documents: [{ title: 'One', markdown: 'words' }, { title: 'Two' }],
  })
  const [{ id: long }, { id: other }] = added.json.items
  const upload = `${link.rest}/upload?position=end&pageId=${long}&fileName=a.txt`
  const uploaded = await fetch(upload, { method: 'POST', body: 'bytes', headers: { 'content-type': 'text/plain' } })
  const { assetUrl } = (await uploaded.json()) as { assetUrl: string }
  const { uploadUrl } = (
    await (
      await link.client()
    ).callTool({ name: 'files_add', arguments: { position: { position: 'end', pageId: long }, fileName: 'b.txt' } })
  ).structuredContent as { uploadUrl: string }
  const list = await full.call('documents_list', { limit: 1 })
  const feed = await link.ask('GET /changes?limit=1')
  const read = await full.client.callTool({ name: 'blocks_get', arguments: { id: other, format: 'markdown' } })
  const [, revision] = /Revision (\S+?)\./.exec(JSON.stringify(read.content)) ?? []
  const keyed = { name: 'documents_add', arguments: { documents: [{ title: 'Once' }] }, _meta: KEY }
  await full.client.callTool(keyed)
  const session = newSession(link.info.id, NOW, 60_000)
  const cookie = sealSession(space.info, session)
  const owner = sessionOwner(space.info, session)
  const proposing = await connect('full', { to: before.full, access: 'propose' })
  await proposing.call('documents_add', { documents: [{ title: 'Proposed' }] })
  const agent = await makeLink({ space }, serving.server.origin, { access: 'propose' })
  await agent.ask('POST /documents', { documents: [{ title: 'Proposed by a link' }] })
  const proposals = (await full.call('proposals_list')).items as Waiting[]
  const waits = (after: Side, isOfLink: boolean) => isWaiting(after, proposals, isOfLink)
  const messages = await messagesOf(space, hook.id)

  const titles = async (after: Side): Promise<string[]> =>
    (await after.full.call('documents_list')).items.map(({ title }: { title: string }) => title)
  const accepts = async (after: Side, name: string, args: object): Promise<boolean> =>
    (await after.full.client.callTool({ name, arguments: { ...args } })).isError !== true

  const tries: Collected['tries'] = {
    'short and long IDs, and links to blocks': async (after) => {
      const markdown = `[it](block://${long})`
      const { items } = await after.full.call('documents_add', { documents: [{ title: 'Link', markdown }] })
      const { content } = await after.full.call('blocks_get', { id: items[0].id })
      const own = await makeLink(after, after.serving.server.origin)
      const spelled = (await own.ask(`GET /blocks?id=${long.slice(-12)}`)).json.id
      const isRead = (await after.full.call('blocks_get', { id: long })).id === long.slice(-12)
      return isRead && spelled === long && content[0].markdown === `[it](block://${long.slice(-12)})`
    },
    'addresses of files that are written back into blocks': async (after) => {
      const blocks = [{ type: 'file', url: assetUrl }]
      const position = { position: 'end', pageId: long }
      const { items } = await after.full.call('blocks_add', { blocks, position })
      return items[0].url.startsWith('scriptorium://files/')
    },
    'addresses of files that are opened': async (after) => (await statusAt(after, assetUrl)) === 200,
    'access links, and webhooks and subscriptions with the secrets that sign their messages': async (after) => {
      const isOpen = (await statusAt(after, `${link.rest}/folders`)) === 200
      const sent = await messagesOf(after.space, hook.id)
      expect(sent?.secret).toBe(isOpen ? hook.secret : undefined)
      return isOpen
    },
    'passwords, and sign-ins': ({ space }) => hasPassword(space),
    'sessions of the pages': async ({ space }) => openSession(space.info, cookie, NOW) !== undefined,
    'text that a page has not sent yet': ({ space }) =>
      space.read(
        OPERATOR_LINK,
        async (view) =>
          (await getActiveLink(view, link.info.id)) !== undefined && sessionOwner(view.info, session) === owner,
      ),
    'addresses for uploads': async (after) =>
      (await statusAt(after, uploadUrl, { method: 'PUT', body: 'more', headers: { 'content-type': 'text/plain' } })) <
      300,
    'cursors, of lists and of changes': async (after) => {
      const list1 = await accepts(after, 'documents_list', { limit: 1, cursor: list.pagination.cursor })
      const goesOn = await statusAt(after, `${link.rest}/changes?limit=1&cursor=${feed.json.cursor}`)
      expect(goesOn === 200).toBe(list1)
      return list1
    },
    revisions: (after) => accepts(after, 'blocks_update', { pageId: other, markdown: '# Two\n\nchanged', revision }),
    'idempotency keys': async (after) => {
      const count = async () => (await titles(after)).filter((title) => title === 'Once').length
      const before = await count()
      await after.full.client.callTool(keyed)
      return (await count()) === before
    },
    'IDs of messages to webhooks': async (after) => {
      const sent = await messagesOf(after.space, hook.id)
      return sent !== undefined && sent.ids[0] === messages?.ids[0]
    },
    'waiting proposals that were made over a link': (after) => waits(after, true),
    'other waiting proposals, with their fingerprints': (after) => waits(after, false),
  }
  return { tries, link }
}

/** The table of the documentation: the row, and its cells. */
function documented(): Map<string, readonly [string, string]> {
  const text = readFileSync(join(import.meta.dirname, '../../docs/backup.md'), 'utf8')
  const [, table = ''] = /\| From before the restore \|.*\n\| --- .*\n((?:\|.*\n)+)/.exec(text) ?? []
  const cells = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(cells.map(([, what = '', without = '', kept = '']) => [what, [without, kept]]))
}

describe.each([
  ['in place', false],
  ['in place', true],
  ['elsewhere', false],
  ['elsewhere', true],
])('after a restore %s that keeps access: %s', (where, keepsAccess) => {
  test('the documentation says what stays and what ends', async () => {
    const path = folder()
    const file = join(path, 'space.sqlite')
    const before = await openSide(file)
    const { tries } = await collect(before)
    // Everything counts where it was given.
    const { path: backup } = await createBackup(file, join(path, 'backup.sqlite'), NOW)
    await before.serving.server.close()
    await before.space.close()
    const target = where === 'in place' ? file : join(path, 'other.sqlite')
    await restoreSpace(backup, target, { keepsAccess, replacesOther: false, now: NOW, words: async () => indexedText })
    const after = await openSide(target)
    const found: Record<string, string> = {}
    for (const [what, isValid] of Object.entries(tries)) found[what] = (await isValid(after)) ? 'stay' : 'end'
    const expected = [...documented()].map(([what, cells]) => [
      what,
      cells[keepsAccess ? 1 : 0].startsWith('stay') ? 'stay' : 'end',
    ])
    expect(found).toEqual(Object.fromEntries(expected))
  })
})

test('before it, all of that is valid', async () => {
  const side = await openSide(join(folder(), 'space.sqlite'))
  const { tries } = await collect(side)
  for (const [what, isValid] of Object.entries(tries)) expect(await isValid(side), what).toBe(true)
})
