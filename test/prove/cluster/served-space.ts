/** A space in the database with its callers and a reader of its feed, and the check of its content at the end. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { addAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { moveSpace } from '../../../src/cli/spaces/move-space.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { spaceAddress } from '../../../storage/postgres/address.ts'
import { examine } from '../crash/examine.ts'
import { ask, type Tally } from '../crash/fleet.ts'
import { Lane } from '../crash/lane.ts'
import { FeedReader, unreadKeys, wrongReading } from '../feed-reading.ts'
import { type Callers, type CallStatistics, startCallers } from './calling.ts'

/** Milliseconds until the feed is read again if there was nothing new. */
const READ_AGAIN = 20
/** The number of refusals after which a caller stops. */
const REFUSALS = 20

/**
 * Creates a link to all of a space, and the space if it does not exist.
 *
 * @returns the path of the link
 */
export async function makeSpace(address: string, name: string, access: 'full' | 'propose' = 'full'): Promise<string> {
  const space = await openSpace(spaceAddress(address, name), { timezone: 'Europe/Budapest' })
  try {
    const link = { kind: 'full', access, documents: [], isBearer: false } as const
    const { secret } = await space.write(OPERATOR_LINK, (view) => addAccessLink(view, link))
    return `/links/${secret}`
  } finally {
    await space.close()
  }
}

/** Moves the space to a file, which the checks of other proofs can read. */
export async function moveToFile(address: string, name: string, folder: string): Promise<string> {
  const file = join(folder, `${name}.sqlite`)
  await moveSpace(spaceAddress(address, name), file)
  return file
}

export interface SpaceFaults {
  lost: string[]
  doubled: string[]
  misread: string[]
}

export class ServedSpace {
  readonly name: string
  readonly #lanes: readonly Lane[]
  readonly #callers: readonly Callers[]
  readonly #reader: FeedReader
  readonly #readingCallers: Callers
  readonly #reading: Promise<void>
  #isWritten = false
  #readingFault: string | undefined
  /** Resolves once all of its callers have stopped. */
  readonly running: Promise<unknown>
  readonly refused: string[] = []

  /**
   * @param linkUrl  the URL of a link to the space, at the proxy
   * @param writers  how many callers there are: one half uses MCP, the other REST
   */
  constructor(name: string, linkUrl: string, writers: number, random: () => number, met: CallStatistics, tally: Tally) {
    this.name = name
    this.#lanes = Array.from({ length: writers }, (_, index) => new Lane(`${name}n${index}`, random() * 2 ** 32))
    this.#callers = this.#lanes.map((_, index) => startCallers(linkUrl, index % 2 === 0 ? 'mcp' : 'rest', met))
    this.running = Promise.all(this.#callers.map((callers, index) => this.#write(this.#lanes[index], callers, tally)))
    this.#reader = new FeedReader(random)
    this.#readingCallers = startCallers(linkUrl, 'rest', met)
    this.#reading = this.#read()
  }

  get readCalls(): number {
    return this.#reader.read.length
  }

  /** Makes one call after another, and continues after unexpected refusals. */
  async #write(lane: Lane | undefined, callers: Callers, tally: Tally): Promise<void> {
    for (let refusals = 0; lane !== undefined && refusals < REFUSALS; ) {
      const call = lane.next()
      const response = await ask(callers, call)
      if (response === undefined) return
      if (response.answer !== undefined) {
        lane.acknowledge(response.answer)
        tally.add()
        continue
      }
      lane.drop()
      refusals++
      this.refused.push(`Expected ${call.tool} (${call.key}) to be answered, found ${response.refused?.error}`)
    }
  }

  /** Reads the feed until there are no more writes and its end is reached. */
  async #read(): Promise<void> {
    let reads = 0
    for (let isLast = false; ; ) {
      const became = await this.#reader.readOn(async (args) => {
        const response = await this.#readingCallers.call({ key: `read-${++reads}`, tool: 'changes_list', args })
        if (response?.refused !== undefined) this.#readingFault = response.refused.error
        return response?.answer
      })
      if (this.#readingFault !== undefined || (became === 'end' && isLast)) return
      if (became !== 'end') continue
      isLast = this.#isWritten
      if (!isLast) await delay(READ_AGAIN)
    }
  }

  /** Stops all callers once their last calls have a response. */
  async stop(): Promise<void> {
    for (const callers of this.#callers) callers.stop()
    await this.running
    this.#isWritten = true
    await this.#reading
    await Promise.all(this.#callers.map((callers) => callers.close()))
  }

  /** @param file  the file that the space was moved to */
  inspect(file: string): SpaceFaults {
    const { lost, broken } = examine(file, () => this.#lanes)
    const keys = this.#lanes.flatMap(({ done }) => done.map(({ key }) => key))
    const read = this.#reader.read
    const misread =
      this.#readingFault === undefined
        ? [
            ...wrongReading(file, read, true),
            ...unreadKeys(file, read, keys).map((key) => `Expected ${key} in the feed, found it nowhere.`),
          ]
        : [`Expected the feed to be read to its end, found ${this.#readingFault}`]
    return { lost: [...lost, ...broken], doubled: writtenTwice(file), misread }
  }
}

/**
 * Finds calls in the audit log without an idempotency key. All calls had keys, so these ran more often than requested.
 */
function writtenTwice(file: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  const found = sqlite
    .prepare<[], { n: number; endpoint: string }>(
      'SELECT n, endpoint FROM write_log WHERE n NOT IN (SELECT number FROM kept_answer WHERE number IS NOT NULL) ORDER BY n',
    )
    .all()
  sqlite.close()
  return found.map(({ n, endpoint }) => `Expected each call once, found call ${n}, of ${endpoint}, without its key.`)
}
