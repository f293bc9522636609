/** Servers that are killed, and receivers that die, in the middle: nothing is lost, and nothing gets a second ID. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildSpace } from '../build.ts'
import { documentOf } from '../document.ts'
import { folder } from '../program.ts'
import { openReceiver, type Received } from '../webhooks/receiver.ts'
import { consenting, newSecret, serveSubscriptions, subscribe } from './subscriber.ts'

const KILLS = 2
const DOCUMENTS_PER_KILL = 8
/** One message of so many is accepted without an answer, as by a receiver that dies then. */
const MESSAGES_PER_DEATH = 5

function startDelivery(file: string): ChildProcess {
  const child = fork(join(import.meta.dirname, 'delivering-process.ts'), [file], { execArgv: [], stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('servers that are killed and receivers that die lose nothing, and nothing is sent with two IDs', async () => {
  const file = join(folder(), 'space.sqlite')
  const served = await serveSubscriptions({}, await buildSpace(file, { clock: Date.now }))
  const all: Received[] = []
  const receiver = await openReceiver(
    consenting((message, response) => {
      all.push(message)
      if (all.length % MESSAGES_PER_DEATH === 0) response.socket?.destroy()
      else response.writeHead(204).end()
    }),
  )
  onTestFinished(() => receiver.close())
  const { mcpClient } = await served.join()
  await subscribe(mcpClient, { name: 'document.added', delivery: { url: receiver.url, secret: newSecret() } })
  const titlesOf = (messages: readonly Received[]) => new Set(messages.map(({ data }) => data.title as string))
  const expected: string[] = []
  let delivering = startDelivery(file)
  for (let kill = 0; kill <= KILLS; kill++) {
    for (let index = 0; index < DOCUMENTS_PER_KILL; index++) {
      expected.push(`${kill}-${index}`)
      await documentOf(served.writer, '', expected.at(-1))
    }
    // At least one message of this round, so that the process is killed while it sends.
    await expect
      .poll(() => titlesOf(all).size, { timeout: 20_000, interval: 1 })
      .toBeGreaterThan(kill * DOCUMENTS_PER_KILL)
    if (kill === KILLS) break
    delivering.kill('SIGKILL')
    delivering = startDelivery(file)
  }
  await expect.poll(() => titlesOf(all).size, { timeout: 20_000, interval: 10 }).toBe(expected.length)
  const byId = Map.groupBy(all, ({ id }) => id)
  expect(byId.size).toBe(expected.length)
  for (const same of byId.values()) expect(titlesOf(same).size).toBe(1)
  expect([...byId.values()].map(([first]) => first?.data.title)).toEqual(expected)
})
