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

/** A burst counts its last change only. */
const UNCOUNTED: readonly Mutation[] = [
  {
    file: 'src/space/events/list-events.ts',
    find: 'count: (known?.count ?? 0) + 1,',
    replace: 'count: 1,',
  },
]

/** Nobody is told of what history no longer has. */
const SILENT_GAP: readonly Mutation[] = [
  {
    file: 'src/space/events/event-place.ts',
    find: '    isTruncated: isBehind || ',
    replace: '    isTruncated: ',
  },
]

/** The faults, and by which sentences each is found. */
export const PLANTED_EVENTS: Record<string, { mutations: readonly Mutation[]; found: RegExp }> = {
  'another ID each time': { mutations: OTHER_ID, found: / has the IDs / },
  'a cursor that skips': { mutations: SKIPPING_CURSOR, found: /comments were lost, [1-9]/ },
  'no retry': { mutations: NO_RETRY, found: /webhook: .*comments were lost/ },
  'joined changes are not counted': { mutations: UNCOUNTED, found: /changes were counted/ },
  'a gap that is not told': { mutations: SILENT_GAP, found: /was not told/ },
}
