/** Flags of members: people and agents who are given work, named and asked. */
import type { Flag } from './flag.ts'

export const memberFlags = {
  rename: {
    value: 'NAME',
    about: 'The new name of the member. What it wrote keeps the name that it had.',
    onlyFor: ['members update'],
  },
  handle: {
    value: 'HANDLE',
    about: 'A short name with which the member is mentioned, such as `anna` for `@anna`. `none` removes it.',
    onlyFor: ['members update', 'participants add', 'links add'],
  },
  picture: {
    value: 'EMOJI',
    about: 'An emoji or up to three letters that stand for the member. `none` removes it.',
    onlyFor: ['members update', 'participants add', 'links add'],
  },
} as const satisfies Record<string, Flag>
