/** Faults of deciding on the parts of a proposal, each of which a test of parts has to find. */
import type { Mutation } from '../mutated-sources.ts'

const PROPOSALS = 'src/space/proposals'

export const PLANTED_PARTS: Readonly<Record<string, Mutation>> = {
  'a part that does something else than was shown is accepted': {
    file: `${PROPOSALS}/approve-proposal.ts`,
    find: '  if (isAgreed && agreed !== fingerprint) throw fingerprintMismatch(row, rehearsal, fingerprint)\n',
    replace: '',
  },
  'what a part needs is not taken along': {
    file: `${PROPOSALS}/parts/part.ts`,
    find: '    open.push(...(byKey.get(key)?.needs ?? []))\n',
    replace: '',
  },
  'the order of acceptance is that of the text': {
    file: `${PROPOSALS}/parts/place-part.ts`,
    find: `before !== undefined ? { position: 'after', siblingId: before } : { position: 'before', siblingId: after }`,
    replace: `{ position: 'after', siblingId: before ?? after }`,
  },
  'a rejected part is accepted with the rest': {
    file: `${PROPOSALS}/approve-proposal.ts`,
    find: 'const waiting = stored.parts.filter(isWaiting)',
    replace: `const waiting = stored.parts.filter(({ state }) => state !== 'accepted')`,
  },
  'what needs a rejected part waits on': {
    file: `${PROPOSALS}/parts/part.ts`,
    find: 'if (needs.some((one) => wanted.has(one))) wanted.add(key)',
    replace: 'if (needs.length > parts.length) wanted.add(key)',
  },
}
