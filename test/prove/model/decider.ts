/**
 * One of several processes that decide on the same proposals. Each of its lanes tries every proposal in order until one
 * lane of some process has decided it. It reports the decisions of its lanes to the parent process.
 */
import { Chooser } from '../calls/chooser.ts'
import { openFile, refusal } from './spaces.ts'

export interface DeciderOrder {
  file: string
  name: string
  seed: number
  lanes: number
}

/** A decision that the product acknowledged, or an error that it must not return. */
export type DeciderNote =
  | { author: string; proposalId: string; state: 'approved' | 'rejected' }
  | { author: string; fault: string }
  | 'ready'
  | 'done'

/** Errors that a concurrent decision or another call may cause. */
const DECIDED = /^Expected a proposal that waits, found that \d+ was (approved|rejected) by /
const MEANWHILE = /^Expected (the oldest proposal of its connection|what the proposal changes to stay)/
const DIFFERS = /approve it with fingerprint (\w+)\.$/

const order = JSON.parse(process.argv[2] ?? '') as DeciderOrder
const spaces = await Promise.all(
  Array.from({ length: order.lanes }, async (_, lane) => {
    const author = `${order.name} lane ${lane}`
    return { author, chooser: new Chooser(order.seed * 100 + lane), opened: await openFile(order.file, author) }
  }),
)
process.on('message', async (message: readonly string[] | 'end') => {
  if (message !== 'end') {
    await Promise.all(spaces.map((space) => decideAll(space, message)))
    return send('done')
  }
  for (const { opened } of spaces) await opened.close()
  process.disconnect()
})
send('ready')

async function decideAll({ author, chooser, opened }: (typeof spaces)[number], proposals: readonly string[]) {
  for (const proposalId of proposals) {
    const state = chooser.once(3) ? 'rejected' : 'approved'
    const read = (await opened.ask('proposals_list', { proposalId })) as { items: { fingerprint?: string }[] }
    for (let fingerprint = read.items[0]?.fingerprint; ; ) {
      const agreed = fingerprint !== undefined && state === 'approved' ? { fingerprint } : {}
      const tool = state === 'approved' ? 'proposals_approve' : 'proposals_reject'
      const refused = await opened.ask(tool, { proposalId, ...agreed }).then(() => undefined, refusal)
      if (refused === undefined) send({ author, proposalId, state })
      if (refused === undefined || DECIDED.test(refused.why)) break
      const [, other] = DIFFERS.exec(refused.why) ?? []
      fingerprint = other ?? fingerprint
      if (other !== undefined || MEANWHILE.test(refused.why)) continue
      send({ author, fault: `${tool} of ${proposalId} is refused with ${refused.refused}: ${refused.why}` })
      break
    }
  }
}

function send(note: DeciderNote): void {
  process.send?.(note)
}
