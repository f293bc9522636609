/** A server of a space with a person and two agents, which is killed and started again at the same address. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { addAccessLink, type NewAccessLink, spaceKey } from '../../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { hashPassword } from '../../../src/space/participants/passwords.ts'
import { callerOf } from '../../bench/workbench.ts'
import { portOf } from '../../http/serve-process.ts'
import { freePorts } from '../../support/free-ports.ts'
import { NO_INPUT, UNREAD } from '../../support/unread.ts'

export const PASSWORD = 'correct horse battery'
const UNLIMITED = ['--limit-requests', '0', '--limit-blocks', '0', '--limit-ip', '0']
const FLAGS = [...UNLIMITED, '--oauth', '--webhook-allow', '127.0.0.0/8', '--no-welcome']

/** What the document says at first: a text to shorten, a text with a gap, a task to fill it, and one with a comment. */
const MARKDOWN =
  'This is a very, very long sentence.\n\nThe harbor was built in YEAR.\n\n- [ ] Find the year\n\nLeave this alone.'

/** The IDs of what the story is about, and the addresses of those who take part. */
export interface Story {
  document: string
  blocks: { long: string; year: string; task: string; other: string }
  /** Mentions of members in Markdown, by name. */
  mention: Record<'Anna' | 'Editor' | 'Researcher', string>
  ids: Record<'Anna' | 'Editor' | 'Researcher', string>
  /** The paths of the links of the agents. */
  paths: { editor: string; researcher: string }
  /** The path of the pages. */
  pages: string
}

export class HandoverServer {
  readonly file: string
  readonly story: Story
  readonly #script: string
  readonly #folder: string
  readonly #port: number
  #child: ChildProcess
  #restarting: Promise<void> = Promise.resolve()
  kills = 0

  private constructor(file: string, story: Story, script: string, folder: string, port: number, child: ChildProcess) {
    this.file = file
    this.story = story
    this.#script = script
    this.#folder = folder
    this.#port = port
    this.#child = child
  }

  /**
   * @param script  the program
   * @param cwd  the folder of its sources
   */
  static async start(file: string, script: string, cwd: string): Promise<HandoverServer> {
    const story = await prepare(file)
    const [port = 0] = await freePorts(1)
    return new HandoverServer(file, story, script, cwd, port, await serve(file, script, cwd, port))
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Ends the server with SIGKILL, and starts it again. Kills that come meanwhile are left out. */
  kill(): void {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    this.kills++
    child.kill('SIGKILL')
    this.#restarting = once(child, 'exit').then(async () => {
      this.#child = await serve(this.file, this.#script, this.#folder, this.#port)
    })
  }

  async close(): Promise<void> {
    await this.#restarting
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }
}

async function serve(file: string, script: string, cwd: string, port: number): Promise<ChildProcess> {
  const args = [script, 'serve', '--space', file, '--port', String(port), ...FLAGS]
  const child = spawn(process.execPath, args, { cwd, stdio: [NO_INPUT, UNREAD, 'pipe'] })
  await portOf(child)
  return child
}

async function prepare(file: string): Promise<Story> {
  const space = await openSpace(file, { name: 'Harbor', timezone: 'Europe/Budapest' })
  try {
    const password = await hashPassword(PASSWORD)
    const made: NewAccessLink = { kind: 'full', access: 'full', documents: [], isBearer: false, participant: 'Owner' }
    const [editor, researcher] = await space.write(OPERATOR_LINK, async (view) => {
      await addParticipant(view, 'Anna', { password })
      const links: string[] = []
      for (const [name, access] of [
        ['Editor', 'propose'],
        ['Researcher', 'no-delete'],
      ] as const) {
        links.push((await addAccessLink(view, { ...made, name, handle: name, access })).secret)
      }
      return links
    })
    const call = callerOf(space, await space.createAccessLink('full', [], 'Anna'))
    const { items } = await call<{ items: { id: string }[] }>('documents_add', {
      documents: [{ title: 'Harbor', markdown: MARKDOWN }],
    })
    const document = items[0]?.id ?? ''
    const { content } = JSON.parse(await call<string>('blocks_get', { id: document })) as { content: { id: string }[] }
    const [long = '', year = '', task = '', other = ''] = content.map(({ id }) => id)
    await call('comments_add', { comments: [{ blockId: other, content: 'This stays.' }] })
    const { members } = await call<{ members: { id: string; name: string }[] }>('connection_get', {})
    const idOf = (name: string) => members.find((one) => one.name === name)?.id ?? ''
    const ids = { Anna: idOf('Anna'), Editor: idOf('Editor'), Researcher: idOf('Researcher') }
    const mentionOf = (name: keyof typeof ids) => `[@${name}](person://${ids[name]})`
    return {
      ...{ document, blocks: { long, year, task, other }, ids },
      mention: { Anna: mentionOf('Anna'), Editor: mentionOf('Editor'), Researcher: mentionOf('Researcher') },
      paths: { editor: `/links/${editor}/mcp`, researcher: `/links/${researcher}/mcp` },
      pages: `/view/${spaceKey(space.info.id)}`,
    }
  } finally {
    await space.close()
  }
}

/** The sources of the checkout. */
export const CHECKOUT = { script: 'src/start.js', cwd: join(import.meta.dirname, '../../..') }
