/** Each tool while the clock shows a year with more than four digits. */
import { expect, test } from 'vitest'
import { buildSpace, NOW } from '../build.ts'
import { connect } from '../connect.ts'
import { ask } from '../prove/test-client/test-client.ts'
import { makeDocument, makePlaces, makeThings } from '../prove/test-client/things.ts'
import { validCalls } from '../prove/test-client/valid-calls.ts'

const YEAR_10000 = Date.UTC(10_000, 0)
const MESSAGE =
  'Expected the clock of the server to show a year up to 9999, found a later one; nothing was written. Ask the person who runs the server to set its clock, then try again.'

/** They depend on what day it is. */
const isAboutToday = (args: object): boolean => JSON.stringify(args).includes('"today"')

test('each call that writes is refused, each one that reads is answered, and all work once the clock is set', async () => {
  const { space, clock } = await buildSpace()
  clock.now = NOW
  const client = await ask(space, await space.createAccessLink('full', [], 'tester'))
  const document = await makeDocument(client, 'own')
  const own = await makeThings(client, document, 'words', await makePlaces(client, 'words'))
  const connected = await connect('full', { to: { space, clock } })
  const { tools } = await connected.client.listTools()
  const reads = new Map(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint === true]))
  const calls = validCalls('full', own).filter(([name, args]) => reads.has(name) && !isAboutToday(args))
  const readAll = async () => {
    const answers: unknown[] = []
    for (const [name, args] of calls) {
      if (reads.get(name)) answers.push([name, await connected.client.callTool({ name, arguments: { ...args } })])
    }
    return answers
  }
  const before = await readAll()
  clock.now = YEAR_10000
  for (const [name, args] of calls) {
    if (reads.get(name)) continue
    expect([name, await connected.faults(name, args)]).toEqual([name, { error: MESSAGE, code: 'CLOCK_WRONG' }])
  }
  expect((await readAll()).filter((answer) => JSON.stringify(answer).includes('"isError":true'))).toEqual(
    before.filter((answer) => JSON.stringify(answer).includes('"isError":true')),
  )
  clock.now = NOW
  expect(await readAll()).toEqual(before)
  expect((await connected.call('documents_add', { documents: [{ title: 'Afterwards' }] })).items).toHaveLength(1)
  await client.close()
})
