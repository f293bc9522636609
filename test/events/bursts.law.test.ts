/**
 * However often a subscriber polls, and however few events it takes at once, it is told the same bursts with the same IDs,
 * in order, and every change is in one of them.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { runs, timeOfRuns } from '../support/runs.ts'
import { drainEvents, type Polled, pollEvents } from './wire.ts'

const QUIET = 30
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), document: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(0, 1, 10, 29, 30, 31, 90) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('poll' as const), subscriber: fc.nat(1) }) },
)
const TRIES = runs(6, 200)

test(
  'bursts do not depend on when a subscriber polls',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, maxEvents) => {
          const full = await connect()
          const documents: string[] = []
          for (let index = 0; index < 4; index++) documents.push(await documentOf(full))
          const asked = { name: 'document.changed', arguments: { quietSeconds: QUIET } }
          const begin = (await pollEvents(full.client, asked)).cursor
          const subscribers = [maxEvents, 50].map((most) => ({
            ...asked,
            maxEvents: most,
            cursor: begin,
            events: [] as Polled['events'],
          }))
          const poll = async (subscriber: (typeof subscribers)[number]) => {
            const { events: _, ...with_ } = subscriber
            const { events, cursor } = await drainEvents(full.client, with_)
            subscriber.events.push(...events)
            subscriber.cursor = cursor
          }
          let edits = 0
          for (const one of steps) {
            if (one.kind === 'wait') full.clock.now += one.seconds * 1000
            else if (one.kind === 'poll') await poll(subscribers[one.subscriber] as (typeof subscribers)[number])
            else {
              const position = { position: 'end', pageId: documents[one.document] }
              await full.call('blocks_add', { markdown: 'x', position })
              edits++
            }
          }
          full.clock.now += QUIET * 1000
          for (const subscriber of subscribers) await poll(subscriber)
          const late = await drainEvents(full.client, { ...asked, cursor: begin })
          for (const { events } of [...subscribers, late]) {
            expect(events.reduce((sum, { data }) => sum + (data.changes as number), 0)).toBe(edits)
            expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)
            for (const documentId of documents) {
              const of = (all: Polled['events']) => all.filter(({ data }) => data.documentId === documentId)
              expect(of(events)).toEqual(of(late.events))
            }
          }
        },
      ),
      { numRuns: TRIES },
    ),
  timeOfRuns(TRIES),
)
