/** No export contains a secret that can be read, and a passphrase brings the secrets back. */
import { createDecipheriv, scryptSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addAccessLink } from '../../src/auth/access-links/access-links.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { exportLines } from '../../src/export/export-report.ts'
import { runExport } from '../../src/export/run-export.ts'
import { isSealed, SecretBox } from '../../src/import/json/export-secrets.ts'
import { loadSpace } from '../../src/import/json/load-space.ts'
import { readSpaceExport } from '../../src/import/json/space-export.ts'
import { openSource } from '../../src/import/open-source.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { newSigningSecret } from '../../src/webhooks/webhook-message.ts'
import { addWebhook } from '../../src/webhooks/webhooks.ts'
import { dumpedColumns, dumpedTables, SECRET_COLUMNS } from '../../storage/dump.ts'
import { copySpace } from '../../storage/sqlite/copies/space-copy.ts'
import { insertSubscription, refreshSubscription } from '../../storage/webhooks.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace, NOW } from '../build.ts'
import { folder } from '../program.ts'
import { quickPasswords } from '../support/quick-passwords.ts'
import { askForAll } from '../whole-answer.ts'

const PASSPHRASE = 'correct horse battery'
const ORIGIN = 'https://notes.example'
const SUBSCRIPTION_LEFT_OUT = {
  path: 'webhook sub_1',
  message: 'A subscription is left out; its client subscribes again',
}

beforeEach(quickPasswords)

interface Guarded {
  space: OpenSpace
  /** The secrets that no export may show, by what they are. */
  secrets: Record<string, string>
  webhookId: string
  /** Adds a file with an idempotency key. Its answer contains an address that opens the file. */
  addFile(space: OpenSpace): Promise<{ assetUrl: string }>
}

/** A space with one secret of each kind. */
async function guarded(): Promise<Guarded> {
  const { space } = await buildSpace(join(folder(), 'space.sqlite'))
  const { info, secret } = await space.write(OPERATOR_LINK, (view) =>
    addAccessLink(view, { kind: 'full', access: 'full', documents: [], isBearer: false }),
  )
  const hook = await space.write(OPERATOR_LINK, (view) =>
    addWebhook(view, info.id, 'https://hooks.example/a', undefined),
  )
  const [subscription, former] = [newSigningSecret(), newSigningSecret()]
  await space.write(OPERATOR_LINK, async ({ tx, now }) => {
    const times = { createdAt: now, call: 0, event: 0, reachChanges: 0, notBefore: null, expiresAt: now + 60_000 }
    const about = { id: 'sub_1', link: 1, url: 'https://hooks.example/b', secret: former, events: null }
    const asked = { eventName: 'comment.created', arguments: '{}', cursor: null, client: null, connection: null }
    await insertSubscription(tx, { ...about, ...asked, ...times })
    const refreshed = { secret: subscription, formerSecret: former, formerUntil: now, expiresAt: now + 60_000 }
    await refreshSubscription(tx, { n: 2, ...refreshed, client: null, connection: null })
  })
  const call = async (to: OpenSpace, name: string, args: object, idempotencyKey?: string) => {
    const link = { ...(await to.createAccessLink('full', [])), id: info.id, files: { origin: ORIGIN, key: 'key' } }
    const tool = toolCatalogFor(endpoints, 'full').get(name)
    const answer = await runCall(
      tool,
      args,
      { space: to, link },
      idempotencyKey === undefined ? {} : { idempotencyKey },
    )
    // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is looked at here
    return ('object' in answer ? answer.object : undefined) as any
  }
  const { items } = await call(space, 'documents_add', { documents: [{ title: 'Plan' }] })
  const position = { position: 'end', pageId: items[0].id }
  const file = { ...askForAll('files_add'), position, fileName: 'a.txt', data: Buffer.from('words').toString('base64') }
  const addFile = (to: OpenSpace) => call(to, 'files_add', file, 'k')
  const { assetUrl } = await addFile(space)
  const [, token] = /\/files\/([^/]+)\//.exec(assetUrl) ?? []
  if (token === undefined) throw new Error('Expected the address of a file.')
  return {
    space,
    secrets: {
      key: space.info.secret,
      fileKey: space.info.addressKey.fileKey,
      webhook: hook.secret.slice('whsec_'.length),
      subscription: subscription.slice('whsec_'.length),
      formerly: former.slice('whsec_'.length),
      link: secret,
      file: token,
    },
    webhookId: hook.id,
    addFile,
  }
}

/** All bytes below a folder, or of a zip, as text. */
function textOf(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'latin1')
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n')
}

const exported = async (space: OpenSpace, passphrase?: string) => {
  const path = join(folder(), 'out')
  const report = await runExport(space, path, { format: 'json', documents: [], now: NOW, passphrase })
  return { path, report }
}

async function loaded(path: string, passphrase?: string) {
  const file = join(folder(), 'new.sqlite')
  const source = await openSource(path, file)
  onTestFinished(() => source.close())
  const about = await readSpaceExport(source)
  if (about === undefined) throw new Error('Expected the export of a space.')
  const loading = loadSpace(file, source, about, { passphrase, newSigningSecret: () => 'whsec_new', clock: () => NOW })
  return { file, loading }
}

async function opened(file: string): Promise<OpenSpace> {
  const space = await openSpace(file, { clock: () => NOW })
  onTestFinished(() => space.close())
  return space
}

function rowsOf(file: string, table: string): Record<string, unknown>[] {
  const sqlite = new Sqlite(file, { readonly: true })
  onTestFinished(() => void sqlite.close())
  return sqlite.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).all()
}

test.each([[undefined], [PASSPHRASE]])(
  'with the passphrase %s, no secret is in the export as it is',
  async (passphrase) => {
    const { space, secrets } = await guarded()
    const { path } = await exported(space, passphrase)
    const text = textOf(path)
    expect(Object.entries(secrets).filter(([, secret]) => text.includes(secret))).toEqual([])
    // The hash of the link's secret is there, so that its address opens the new space.
    expect(text).toMatch(/"secret_hash":"[0-9a-f]{64}"/)
  },
)

test('an export of documents has no secrets either', async () => {
  const { space, secrets } = await guarded()
  const path = join(folder(), 'vault')
  await runExport(space, path, { format: 'obsidian', documents: [], now: NOW })
  const text = textOf(path)
  expect(Object.entries(secrets).filter(([, secret]) => text.includes(secret))).toEqual([])
})

test('with the passphrase, the new space has every secret', async () => {
  const { space, secrets, addFile } = await guarded()
  const { path, report } = await exported(space, PASSPHRASE)
  expect([report.problems, report.notes]).toEqual([[SUBSCRIPTION_LEFT_OUT], []])
  const { file, loading } = await loaded(path, PASSPHRASE)
  expect(await loading).toMatchObject({ problems: [], notes: [] })
  const copy = await opened(file)
  expect(copy.info.secret).toBe(secrets.key)
  expect(rowsOf(file, 'webhook')).toMatchObject([{ secret: `whsec_${secrets.webhook}`, paused_at: null }])
  expect((await addFile(copy)).assetUrl).toContain(`/files/${secrets.file}/`)
})

describe('without a passphrase', () => {
  test('the report names what is left out', async () => {
    const { space, webhookId } = await guarded()
    const { report } = await exported(space)
    expect(report.problems).toEqual([
      { path: `webhook ${webhookId}`, message: 'The secret of a webhook is left out; --passphrase encrypts it' },
      SUBSCRIPTION_LEFT_OUT,
    ])
    expect(exportLines(report).join('\n')).toContain(
      'The keys of the space, and the answers that are kept for retries, are left out: a space that is made of this export has new keys',
    )
  })

  test('the new space has a key of its own, paused webhooks with new secrets, and repeats no call', async () => {
    const { space, secrets, webhookId, addFile } = await guarded()
    const { file, loading } = await loaded((await exported(space)).path)
    expect(await loading).toMatchObject({
      problems: [
        {
          path: `webhook ${webhookId}`,
          message: `It has a new secret, whsec_new, and is paused: give the secret to the receiver, then run webhooks test ${webhookId}.`,
        },
      ],
      notes: [
        'The export contains no secrets: the space has new keys, so that cursors, addresses of files and sessions of the pages change.',
      ],
    })
    const copy = await opened(file)
    expect(copy.info.addressKey.idPrefix).toBe(space.info.addressKey.idPrefix)
    expect(copy.info.addressKey.fileKey).not.toBe(space.info.addressKey.fileKey)
    expect(copy.info.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(copy.info.secret).not.toBe(secrets.key)
    expect(rowsOf(file, 'webhook')).toMatchObject([
      { secret: 'whsec_new', paused_at: NOW, last_error: 'its secret was not in the export' },
    ])
    await expect(addFile(copy)).rejects.toThrow('the call was carried out then and nothing was written now')
  })

  test('an encrypted export is loaded without its secrets, and the report says so', async () => {
    const { space, webhookId } = await guarded()
    const { loading } = await loaded((await exported(space, PASSPHRASE)).path)
    expect((await loading).problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'scriptorium.json: The secrets in the export are encrypted, and no --passphrase was given: the space has new keys, so that cursors, addresses of files and sessions of the pages change.',
      expect.stringContaining(`webhook ${webhookId}: It has a new secret, `),
    ])
  })
})

describe('a passphrase', () => {
  test.each([
    ['too short', 'short'],
    ['too long', 'x'.repeat(1_001)],
  ])('that is %s is refused, and nothing is written', async (_, passphrase) => {
    const { space } = await guarded()
    const path = join(folder(), 'out')
    await expect(runExport(space, path, { format: 'json', documents: [], now: NOW, passphrase })).rejects.toThrow(
      `Expected a passphrase of 12 to 1,000 characters, found one of ${passphrase.length.toLocaleString('en-US')}; choose another.`,
    )
    expect(existsSync(join(path, 'tables'))).toBe(false)
  })

  test.each(['correct horse batterz', '', 'x'.repeat(1_001)])(
    'that is wrong is refused, and leaves nothing: %.30s',
    async (wrong) => {
      const { space } = await guarded()
      const { file, loading } = await loaded((await exported(space, PASSPHRASE)).path, wrong)
      await expect(loading).rejects.toThrow(
        'Expected the passphrase of this export, found another; nothing was made, try again.',
      )
      expect(existsSync(file)).toBe(false)
    },
  )

  test('is refused where nothing is encrypted', async () => {
    const { space } = await guarded()
    const { loading } = await loaded((await exported(space)).path, PASSPHRASE)
    await expect(loading).rejects.toThrow(
      'Expected encrypted secrets in the export for --passphrase, found none; leave --passphrase out.',
    )
  })

  test('is the same however the keyboard composed it', async () => {
    const box = await SecretBox.create('Größe und Länge', 'space')
    expect(await SecretBox.open('Gro\u0308ße und La\u0308nge', box.info, 'space')).toBeInstanceOf(SecretBox)
  })
})

describe('an encrypted export that was tampered with', () => {
  test.each<[string, (table: string) => string]>([
    ['another value', (table) => table.replace(/"sealed":"...../, '"sealed":"AAAAA')],
    ['no text', (table) => table.replace(/\{"sealed":"[^"]+"\}/, '1')],
    ['the value of another row', (table) => table.replace('"n":1,', '"n":2,')],
  ])('by %s is refused', async (_, change) => {
    const { space } = await guarded()
    const { path } = await exported(space, PASSPHRASE)
    const table = join(path, 'tables/webhook.jsonl')
    writeFileSync(table, change(readFileSync(table, 'utf8')))
    const { file, loading } = await loaded(path, PASSPHRASE)
    await expect(loading).rejects.toThrow(
      'Expected a secret of the space in tables/webhook.jsonl, found something else; export it again.',
    )
    expect(existsSync(file)).toBe(false)
  })

  test.each([
    { N: 2 ** 30 },
    { N: 3 },
    { N: 2 ** 17, r: 1_000_000 },
    { N: 2 ** 17, p: 1_000 },
    { kdf: 'md5' },
    { cipher: 'none' },
    { salt: 1 },
  ])('by a costly or unknown encryption is refused before any work: %j', async (changed) => {
    const { info } = await SecretBox.create(PASSPHRASE, 'space')
    await expect(SecretBox.open(PASSPHRASE, { ...info, ...changed }, 'space')).rejects.toThrow(
      'Expected encrypted secrets in the export, found something else; export the space again.',
    )
  })
})

test('an export with secrets as text, as earlier versions wrote it, is loaded as it is', async () => {
  const { space, secrets } = await guarded()
  const { path } = await exported(space)
  const tableOf = (name: string) => join(path, `tables/${name}.jsonl`)
  const add = (name: string, column: string, secret: string) => {
    const [row = '{}'] = readFileSync(tableOf(name), 'utf8').split('\n')
    writeFileSync(tableOf(name), `${JSON.stringify({ ...JSON.parse(row), [column]: secret })}\n`)
  }
  add('space', 'secret', secrets.key ?? '')
  add('webhook', 'secret', 'whsec_old')
  add('kept_answer', 'answer', '{}')
  const about = join(path, 'scriptorium.json')
  const { secrets: _, ...old } = JSON.parse(readFileSync(about, 'utf8'))
  writeFileSync(about, JSON.stringify(old))
  const { file, loading } = await loaded(path)
  expect(await loading).toMatchObject({ problems: [], notes: [] })
  expect((await opened(file)).info.secret).toBe(secrets.key)
  expect(rowsOf(file, 'webhook')).toMatchObject([{ secret: 'whsec_old', paused_at: null }])
})

test('the format is the documented one', async () => {
  const { space, secrets } = await guarded()
  const { path } = await exported(space, PASSPHRASE)
  const about = JSON.parse(readFileSync(join(path, 'scriptorium.json'), 'utf8'))
  const [row = '{}'] = readFileSync(join(path, 'tables/webhook.jsonl'), 'utf8').split('\n')
  const { n, secret } = JSON.parse(row)
  const { N, r, p, salt } = about.secrets
  expect(about.secrets).toMatchObject({ kdf: 'scrypt', N: 131_072, r: 8, p: 1, cipher: 'aes-256-gcm' })
  // The stand-in for scrypt ignores the cost of a stored hash.
  const key = scryptSync(PASSPHRASE, Buffer.from(salt, 'base64url'), 32, { N: 2, r: 1, p: 1 })
  expect([N, r, p]).not.toEqual([2, 1, 1])
  const bytes = Buffer.from(secret.sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(JSON.stringify([about.space.id, 'webhook', 'secret', n])))
  decipher.setAuthTag(bytes.subarray(-16))
  const text = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
  expect(text).toBe(`whsec_${secrets.webhook}`)
  expect(isSealed(secret)).toBe(true)
})

test('only their owner can read the files of an export of the whole space', async () => {
  const { space } = await guarded()
  const path = join(folder(), 'out')
  const run = () => runExport(space, path, { format: 'json', documents: [], now: NOW })
  const modes = () =>
    readdirSync(path, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => {
      const stats = statSync(join(parentPath, name))
      return `${stats.isDirectory() ? 'folder' : 'file'} ${(stats.mode & 0o777).toString(8)}`
    })
  await run()
  expect([...new Set(modes())].sort()).toEqual(['file 600', 'folder 700'])
})

test('a backup has every secret', async () => {
  const { space, secrets } = await guarded()
  const file = join(folder(), 'backup.sqlite')
  await copySpace(space.file, file)
  expect(rowsOf(file, 'space')).toMatchObject([{ secret: secrets.key }])
  expect(rowsOf(file, 'webhook')).toMatchObject([
    { secret: `whsec_${secrets.webhook}`, paused_at: null },
    { secret: `whsec_${secrets.subscription}`, former_secret: `whsec_${secrets.formerly}` },
  ])
  expect(rowsOf(file, 'kept_answer')).toMatchObject([{ answer: expect.stringContaining(`/files/${secrets.file}/`) }])
})

test('every column that may hold a secret is encrypted, or is known to hold none', () => {
  const suspicious = /secret|token|passw|key|hash|nonce|answer|credential|cookie|signature/
  const known = new Set([
    // Hashes of random secrets, and of passwords with scrypt.
    ...['link.secret_hash', 'password.hash'],
    // SHA-256 of bytes, and of what was imported.
    ...['file.hash', 'proposal_file.hash', 'imported.hash'],
    // Hashes over entries of the log.
    ...['write_log.hash', 'write_log.content_hash', 'write_log.names_hash'],
    // Names that clients and people give.
    ...['kept_answer.key', 'property.key', 'collection.title_key', 'option.key'],
    // Parts of cookies that are worth nothing without their signature, of sessions that ended.
    'ended_session.nonce',
    // Only subscriptions have it, and they are left out.
    'webhook.former_secret',
  ])
  const found = dumpedTables().flatMap((table) =>
    dumpedColumns(table)
      .map(({ name }) => ({ table, name }))
      .filter(({ name }) => suspicious.test(name))
      .filter(({ name }) => SECRET_COLUMNS.get(table) !== name)
      .map(({ name }) => `${table}.${name}`),
  )
  expect(found.filter((column) => !known.has(column))).toEqual([])
})
