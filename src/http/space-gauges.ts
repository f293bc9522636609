/** Metrics about the spaces that are open. A space is named by its key, which says nothing about it. */
import { Gauge, type Registry } from 'prom-client'
import { type ByteCounts, sumOfBytes } from '../../storage/byte-counts.ts'
import { type OperatingCounts, operatingCounts } from '../../storage/operating-counts.ts'
import { spaceKey } from '../auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'

const KINDS = ['documents', 'history', 'files'] as const

/** What is read of one space. */
interface SpaceState extends OperatingCounts {
  key: string
  counts: ByteCounts
  /** The shares of their quotas that the space and its fullest link use. */
  space: number
  link: number
}

export class SpaceGauges {
  readonly #storedBytes: Gauge<'kind'>
  readonly #spaceBytes: Gauge<'space' | 'kind'>
  readonly #totals: readonly { gauge: Gauge; of(states: readonly SpaceState[]): number }[]

  constructor(registry: Registry) {
    const registers = [registry]
    this.#storedBytes = new Gauge({
      name: 'scriptorium_stored_bytes',
      help: 'Bytes that the open spaces store, by documents, history and files',
      labelNames: ['kind'],
      registers,
    })
    this.#spaceBytes = new Gauge({
      name: 'scriptorium_space_bytes',
      help: 'Bytes that each open space stores, by documents, history and files',
      labelNames: ['space', 'kind'],
      registers,
    })
    const total = (name: string, help: string, of: (states: readonly SpaceState[]) => number) => ({
      gauge: new Gauge({ name, help, registers }),
      of,
    })
    this.#totals = [
      total(
        'scriptorium_quota_used_ratio',
        'The largest share of its quota that an open space uses; 0 without quotas',
        (states) => Math.max(0, ...states.map(({ space }) => space)),
      ),
      total(
        'scriptorium_link_quota_used_ratio',
        'The largest share of its quota that a link of an open space uses; 0 without quotas',
        (states) => Math.max(0, ...states.map(({ link }) => link)),
      ),
      total('scriptorium_waiting_proposals', 'Proposals of open spaces that wait for a person', (states) =>
        sumOf(states, ({ waitingProposals }) => waitingProposals),
      ),
      total(
        'scriptorium_failing_webhooks',
        'Webhooks and subscriptions of open spaces whose last message failed, or that are paused after failures',
        (states) => sumOf(states, ({ failingWebhooks }) => failingWebhooks),
      ),
      total(
        'scriptorium_webhook_backlog',
        'Calls and events that the webhook furthest behind has yet to look at',
        (states) => Math.max(0, ...states.map(({ webhookBacklog }) => webhookBacklog)),
      ),
    ]
  }

  async update(spaces: readonly OpenSpace[]): Promise<void> {
    const found = await Promise.all(spaces.map(readState))
    const states = found.filter((one) => one !== undefined)
    this.#spaceBytes.reset()
    for (const kind of KINDS) {
      this.#storedBytes.set(
        { kind },
        sumOf(states, ({ counts }) => counts[kind]),
      )
      for (const { key, counts } of states) this.#spaceBytes.set({ space: key, kind }, counts[kind])
    }
    for (const { gauge, of } of this.#totals) gauge.set(of(states))
  }
}

const sumOf = (states: readonly SpaceState[], count: (state: SpaceState) => number): number =>
  states.reduce((sum, state) => sum + count(state), 0)

/** Returns undefined for a space that was closed meanwhile, or that cannot be read now. */
async function readState(space: OpenSpace): Promise<SpaceState | undefined> {
  try {
    const { space: counts, links } = await space.storedBytes()
    const { space: quota = Infinity, link: linkQuota = Infinity } = space.quotas ?? {}
    const fullest = Math.max(0, ...[...links.values()].map(sumOfBytes))
    const operating = await space.read(OPERATOR_LINK, ({ tx }) => operatingCounts(tx))
    const shares = { space: sumOfBytes(counts) / quota, link: fullest / linkQuota }
    return { key: spaceKey(space.info.id), counts, ...shares, ...operating }
  } catch {
    return undefined
  }
}
