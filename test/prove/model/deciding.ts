/** Several processes decide on the same proposals concurrently: each is decided once, and an approved one runs once. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { ProofContext } from '../proof.ts'
import type { DeciderNote, DeciderOrder } from './decider.ts'
import { AGENT } from './proposals.ts'
import { openFile } from './spaces.ts'

/** Concurrent decisions in each process. */
const LANES = 2
/** Proposals that are pending at the same time: the maximum of the product. */
const WAITING = 50

export interface Decision {
  author: string
  proposalId: string
  state: string
}

export interface Decided {
  file: string
  /** The line that each proposal adds, by its ID. */
  lines: ReadonlyMap<string, string>
  decisions: readonly Decision[]
  faults: string[]
}

/** @param count  how many proposals are made and decided */
export async function decideTogether(context: ProofContext, processes: number, count: number): Promise<Decided> {
  const file = join(context.folder, 'decided.sqlite')
  const space = await openFile(file, 'owner')
  const { items } = (await space.ask('documents_add', { documents: [{ title: 'Plan' }] })) as {
    items: { id: string }[]
  }
  const position = { position: 'end', pageId: items[0]?.id }
  const deciders = await Promise.all(
    Array.from({ length: processes }, (_, index) => started(context, file, index, { lanes: LANES })),
  )
  const decisions: Decision[] = []
  const faults: string[] = []
  for (const decider of deciders) {
    decider.on('message', (message: DeciderNote) => {
      if (typeof message === 'string') return
      if ('fault' in message) faults.push(`${message.author}: ${message.fault}`)
      else decisions.push(message)
    })
  }
  const lines = new Map<string, string>()
  while (lines.size < count) {
    const ids: string[] = []
    while (ids.length < WAITING && lines.size < count) {
      const line = `line ${lines.size} of what is proposed`
      const proposed = await space.propose({ tool: 'blocks_add', args: { markdown: line, position } })
      if ('refused' in proposed) throw new Error(`Expected a proposal, found ${proposed.why}`)
      ids.push(proposed.id)
      lines.set(proposed.id, line)
    }
    const ends = deciders.map(isDone)
    for (const decider of deciders) decider.send(ids)
    await Promise.all(ends)
    context.log(`${lines.size} of ${count} proposals decided`)
  }
  for (const decider of deciders) decider.send('end')
  await Promise.all(deciders.map((decider) => once(decider, 'exit')))
  await space.close()
  return { file, lines, decisions, faults }
}

async function started(
  context: ProofContext,
  file: string,
  index: number,
  { lanes }: Pick<DeciderOrder, 'lanes'>,
): Promise<ChildProcess> {
  const order: DeciderOrder = { file, lanes, name: `decider ${index + 1}`, seed: context.seed * 100 + index }
  const env = { ...process.env, NODE_COMPILE_CACHE: join(context.folder, 'compiled') }
  const child = fork(join(import.meta.dirname, 'decider.ts'), [JSON.stringify(order)], { env })
  await once(child, 'message')
  return child
}

const isDone = (decider: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const onMessage = (message: DeciderNote) => {
      if (message !== 'done') return
      decider.off('message', onMessage)
      resolve()
    }
    decider.on('message', onMessage)
  })

/** Returns a fault for each difference between file and decisions, and for proposals decided twice or never. */
export function wrongDecisions({ file, lines, decisions }: Decided): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    const all = <Row>(text: string) => sqlite.prepare<[], Row>(text).raw().all()
    const texts = all<[string]>('SELECT text FROM block').map(([text]) => text)
    const kept = new Map(
      all<[number, string, string]>('SELECT id, state, decided_by FROM proposal').map(([id, ...by]) => [
        String(id),
        by,
      ]),
    )
    const calls = all<[number]>(`SELECT count(*) FROM write_log WHERE author = '${AGENT}'`)[0]?.[0]
    const wrong: string[] = []
    for (const [id, line] of lines) {
      const matching = decisions.filter(({ proposalId }) => proposalId === id)
      const [decision] = matching
      if (decision === undefined || matching.length > 1)
        wrong.push(`Proposal ${id} was decided ${matching.length} times.`)
      const found = kept.get(id)?.join(' by ')
      const expected = `${decision?.state} by ${decision?.author}`
      if (found !== expected) wrong.push(`Expected proposal ${id} to be ${expected}, found ${found}.`)
      const times = texts.filter((text) => text === line).length
      const due = decision?.state === 'approved' ? 1 : 0
      if (times !== due) wrong.push(`Expected what proposal ${id} adds ${due} times, found it ${times} times.`)
    }
    const approved = decisions.filter(({ state }) => state === 'approved').length
    if (calls !== approved) wrong.push(`Expected ${approved} calls of ${AGENT} in the log, found ${calls}.`)
    return wrong
  } finally {
    sqlite.close()
  }
}
