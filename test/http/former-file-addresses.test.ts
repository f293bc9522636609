/** Addresses of files from before IDs were numbers go on leading to their files. */
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { folder } from '../program.ts'
import { answersOf, unpack } from '../schemas/fixtures.ts'
import { serveBuilt } from './serving.ts'

/** The address of a file as versions with UUIDs made it for a link. */
function formerPath(secret: string, file: string, link: string): string {
  const seal = createHmac('sha256', Buffer.from(secret, 'hex')).update(`file ${file} ${link}`).digest('base64url')
  return `/files/${link.slice(0, 10)}${file.replaceAll('-', '')}${link.slice(10)}${seal.slice(0, 22)}/a`
}

test('a former address leads to its file as long as its link reaches it', async () => {
  const file = join(folder(), 'space.sqlite')
  unpack('29-former', file)
  const { now } = answersOf('29-former')
  const sqlite = new Sqlite(file)
  const ids = (sql: string) => sqlite.prepare<[], string>(sql).pluck().all()
  const [secret = ''] = ids('SELECT secret FROM space')
  const files = ids('SELECT former FROM former_id JOIN file ON file.id = former_id.id')
  const [link = ''] = ids("SELECT id FROM link WHERE kind = 'selected'")
  const [other = ''] = ids("SELECT id FROM link WHERE kind = 'daily'")
  sqlite.close()
  const space = await openSpace(file, { clock: () => now, keepsCopy: false })
  onTestFinished(() => space.close())
  const { server } = await serveBuilt({ to: { space, clock: { now } } })
  const statusOf = async (path: string) => (await fetch(`${server.origin}${path}`)).status
  expect(files).toHaveLength(2)
  for (const id of files) {
    expect(await statusOf(formerPath(secret, id, link))).toBe(200)
    expect(await statusOf(formerPath(secret, id, other))).toBe(404)
  }
})
