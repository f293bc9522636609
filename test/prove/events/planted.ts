/** Faults of events that the proof must detect, each on its own. */
import type { Mutation } from '../mutated-sources.ts'

/** An event has another ID each time it is read. */
const OTHER_ID: readonly Mutation[] = [
  {
    file: 'src/space/events/list-events.ts',
    find: "['event', name, subject, call ?? timestamp, fence ?? own]",
    replace: "['event', name, subject, call ?? timestamp, fence ?? own, Math.random()]",
  },
]

/** The cursor in the middle of a call leaves out the next event. */
const SKIPPING_CURSOR: readonly Mutation[] = [
  {
    file: 'src/space/events/list-events.ts',
    find: 'skip: index + 1 }',
    replace: 'skip: index + 2 }',
  },
]

/** A message that was not accepted is not sent again. */
const NO_RETRY: readonly Mutation[] = [
  {
    file: 'src/webhooks/webhook-delivery.ts',
    find: '        if (!result.isAccepted) {\n',
    replace: '        if (!result.isAccepted && n < 0) {\n',
  },
]

export const PLANTED_EVENTS = {
  'another ID each time': OTHER_ID,
  'a cursor that skips': SKIPPING_CURSOR,
  'no retry': NO_RETRY,
} as const
