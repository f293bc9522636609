/** An agent proposes beside callers that write to the same page, and a person approves what was shown. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Acknowledged } from '../crash/keyed-call.ts'
import { askOverRest } from '../crash/over-protocols.ts'

/** Milliseconds to wait after a call without a result. */
const AGAIN = 50

/** What the approval says if something else would change by now. */
const OTHER = /would now change something else|what the proposal changes to stay/

export class Approvals {
  readonly #agentUrl: string
  readonly #personUrl: string
  /** How many proposals were carried out. */
  count = 0
  readonly faults: string[] = []
  #isStopped = false
  readonly #deciding: Promise<void>

  /**
   * @param agentUrl  the REST URL of a link that proposes, at the proxy
   * @param personUrl  the REST URL of a link that approves
   * @param page  resolves with the page to write to
   */
  constructor(agentUrl: string, personUrl: string, page: Promise<string>) {
    this.#agentUrl = agentUrl
    this.#personUrl = personUrl
    this.#deciding = page.then((pageId) => this.#decide(pageId))
  }

  async #decide(pageId: string): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      const add = { markdown: `proposed ${turn}`, position: { position: 'end', pageId } }
      await this.#answered(this.#agentUrl, 'blocks_add', add)
      const listed = await this.#answered(this.#personUrl, 'proposals_list', {})
      for (const { proposalId } of itemsOf(listed).toReversed()) {
        const [item] = itemsOf(await this.#answered(this.#personUrl, 'proposals_list', { proposalId }))
        if (item?.fingerprint === undefined) continue
        await this.#approve(proposalId, item.fingerprint)
      }
    }
  }

  async #approve(proposalId: string, fingerprint: string): Promise<void> {
    const args = { proposalId, fingerprint }
    const response = await this.#ask(this.#personUrl, 'proposals_approve', args)
    if (response?.answer !== undefined) this.count++
    const error = response?.refused?.error
    if (error !== undefined && OTHER.test(error)) this.faults.push(error)
  }

  /** Tries again until there is an answer, or the approvals are stopped. */
  async #answered(url: string, tool: string, args: Record<string, unknown>): Promise<object | undefined> {
    for (;;) {
      const response = await this.#ask(url, tool, args)
      if (response?.answer !== undefined || this.#isStopped) return response?.answer
      await delay(AGAIN)
    }
  }

  #ask(url: string, tool: string, args: Record<string, unknown>): Promise<Acknowledged | undefined> {
    return askOverRest(url, { key: '', tool, args }).catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#deciding
  }
}

const itemsOf = (answer: object | undefined): { proposalId: string; fingerprint?: string }[] =>
  (answer as { items: { proposalId: string; fingerprint?: string }[] } | undefined)?.items ?? []
