/** Proposals that would do more, or something else, than what a person has read when approving them. */
import { Browser } from '../../../auth/issuer/browser.ts'
import type { Attack } from '../attack.ts'
import { type AttackedServer, askAt, type HttpResult, type MadeLink } from '../server.ts'
import type { World } from '../world.ts'

/** A link that proposes, and a person who reads in a browser. */
class ApprovalPages {
  readonly server: AttackedServer
  readonly plan: string
  /** A block of code. */
  readonly code: string
  readonly #agent: MadeLink
  readonly #browser: Browser
  readonly #base: string

  private constructor(server: AttackedServer, agent: MadeLink, plan: HttpResult['json'], browser: Browser) {
    this.server = server
    this.plan = plan.id
    this.code = plan.code
    this.#agent = agent
    this.#browser = browser
    this.#base = browser.seen.url.href.replace(/\/$/, '')
  }

  static async open(world: World): Promise<ApprovalPages> {
    const server = await world.serve()
    const id = await server.document('Plan', '```sh\necho hi\n```')
    const { content } = await server.done(`GET /blocks?id=${id}`)
    const browser = new Browser()
    await browser.open((await server.link({ name: 'Anna' })).restUrl.replace('/api/v1', '/view'))
    return new ApprovalPages(server, await server.link({ access: 'propose' }), { id, code: content[0].id }, browser)
  }

  /** @returns the ID of the proposal */
  async propose(line: string, body: unknown): Promise<string> {
    return proposed(await this.server.rest(line, body, this.#agent))
  }

  async upload(text: string): Promise<string> {
    const { restUrl, headers } = this.#agent
    const target = `POST /upload?position=end&pageId=${this.plan}&fileName=clean.sh`
    return proposed(await askAt(restUrl, target, text, { ...headers, 'content-type': 'text/plain' }))
  }

  writeCode = (rawCode: string): Promise<string> =>
    this.propose('PUT /blocks', { blocks: [{ id: this.code, rawCode }] })

  async read(path: string): Promise<string> {
    const { status, html } = await this.#browser.open(`${this.#base}${path}`)
    if (status !== 200) throw new Error(`Expected a page at ${path}, found ${status}.`)
    return html
  }

  /** Approves a proposal as it is read. @returns the ID of the call that carried it out */
  async approve(id: string): Promise<string> {
    const fingerprint = await this.fingerprint(id)
    return (await this.server.done(`POST /proposals/${id}/approve`, { fingerprint })).callId
  }

  async fingerprint(id: string): Promise<string | undefined> {
    return (await this.server.done(`GET /proposals?proposalId=${id}`)).items[0].fingerprint
  }

  async isWaiting(id: string): Promise<boolean> {
    return (await this.server.done(`GET /proposals?proposalId=${id}`)).items[0].state === 'waiting'
  }
}

function proposed({ json, text }: HttpResult): string {
  const id: string | undefined = json?.proposal?.proposalId
  if (id === undefined) throw new Error(`Expected a proposal, found ${text.slice(0, 500)}`)
  return id
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** @returns a sentence for each text that a page does not show */
const missing = (page: string, where: string, texts: readonly string[]): string[] =>
  texts.filter((text) => !page.includes(escaped(text))).map((text) => `${where} does not show ${text}`)

export const structure: Attack = {
  finding: 24,
  name: 'lines of code that look like what only structures a document',
  async attempt(world) {
    const approval = await ApprovalPages.open(world)
    const id = await approval.writeCode('echo hi\n</page>\n<content>\n</content>\necho there')
    const [difference = ''] = (await approval.read(`/waiting/${id}`)).split('class="asked"')
    return missing(difference, 'the difference', ['</page>', '<content>', '</content>'])
  },
}

export const unseen: Attack = {
  finding: 24,
  name: 'characters that are not seen, and that turn others around',
  async attempt(world) {
    const approval = await ApprovalPages.open(world)
    const characters = ['\u202e', '\u2066', '\u200b', '\u{e0041}']
    const id = await approval.writeCode(`echo hi ${characters.join('x')}`)
    const pages = [await approval.read(`/waiting/${id}`), await approval.read('/waiting'), await approval.read('/')]
    const found = characters.filter((character) => pages.some((page) => page.includes(character)))
    return found.map((character) => `a page contains U+${character.codePointAt(0)?.toString(16)} as it is`)
  },
}

export const unwritten: Attack = {
  finding: 24,
  name: 'changes of which the text of a document says nothing',
  async attempt(world) {
    const approval = await ApprovalPages.open(world)
    const { plan, code } = approval
    const taskInfo = { deadlineDate: '2031-05-19' }
    const documents = Array.from({ length: 11 }, (_, index) => ({ title: `New ${index}`, markdown: `words ${index}` }))
    const id = await approval.propose('POST /batch', {
      steps: [
        { tool: 'comments_add', arguments: { comments: [{ blockId: code, content: 'The words of a comment' }] } },
        {
          tool: 'tasks_add',
          arguments: { tasks: [{ markdown: 'Dig', taskInfo, location: { type: 'document', documentId: plan } }] },
        },
        { tool: 'folders_add', arguments: { folders: [{ name: 'The name of a folder' }] } },
        { tool: 'documents_add', arguments: { documents } },
      ],
    })
    const texts = ['The words of a comment', '2031-05-19', 'The name of a folder', 'words 10']
    const proposal = await approval.read(`/waiting/${id}`)
    const call = await approval.read(`/calls/${await approval.approve(id)}`)
    return [...missing(proposal, 'the proposal', texts), ...missing(call, 'the call', texts)]
  },
}

export const unshown: Attack = {
  finding: 24,
  name: 'a file with a script in it',
  async attempt(world) {
    const approval = await ApprovalPages.open(world)
    const id = await approval.upload('#!/bin/sh\nrm -rf everything')
    return missing(await approval.read(`/waiting/${id}`), 'the proposal', ['rm -rf everything'])
  },
}

export const cutOff: Attack = {
  finding: 24,
  name: 'a long proposal, of which a page shows the beginning',
  async attempt(world) {
    const approval = await ApprovalPages.open(world)
    const count = 2_500
    const lines = Array.from({ length: count }, (_, index) => `echo ${index}`)
    const id = await approval.writeCode(['echo hi', ...lines, 'rm -rf everything'].join('\n'))
    await approval.propose('POST /folders', { folders: [{ name: 'Short' }] })
    const faults: string[] = []
    for (const path of ['/', '/waiting', `/waiting/${id}`]) {
      const page = await approval.read(path)
      const [approved] = [`/waiting/${id}/approve"`, '/waiting/approve-all"'].filter((one) => page.includes(one))
      if (approved !== undefined && !page.includes('rm -rf everything'))
        faults.push(`${path} approves what it cuts off`)
    }
    return faults
  },
}

export const unread: Attack = {
  finding: 24,
  name: 'an approval that does not say what was read',
  async attempt(world) {
    const approval = await ApprovalPages.open(world)
    const faults: string[] = []
    const byRest = await approval.writeCode('echo rest')
    await approval.server.rest(`POST /proposals/${byRest}/approve`, {})
    if (!(await approval.isWaiting(byRest))) faults.push('a request without a fingerprint approved a proposal')
    else await approval.approve(byRest)
    const byCommand = await approval.writeCode('echo command')
    // Its input is no terminal, so no one can have been asked.
    await approval.server.command(['proposals', 'approve', byCommand]).catch(() => undefined)
    if (!(await approval.isWaiting(byCommand))) faults.push('the command approved a proposal without asking')
    return faults
  },
}

export const changed: Attack = {
  finding: 24,
  name: 'a proposal that does something else by the time it is approved',
  async attempt(world) {
    const approval = await ApprovalPages.open(world)
    const { code } = approval
    const id = await approval.propose('POST /comments', { comments: [{ blockId: code, content: 'words' }] })
    const fingerprint = await approval.fingerprint(id)
    await approval.server.done('PUT /blocks', { blocks: [{ id: code, rawCode: 'rm -rf everything' }] })
    const { status } = await approval.server.rest(`POST /proposals/${id}/approve`, { fingerprint })
    return status === 409 ? [] : [`what had changed meanwhile was approved: ${status}`]
  },
}
