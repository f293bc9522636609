/** Flags of members: people and agents who are given work, named and asked. */
import type { Command } from '../commands.ts'
import type { Flag } from './flag.ts'
import { listOf } from './parsers.ts'

const NAMED: readonly Command[] = ['members update', 'groups add', 'groups update', 'participants add', 'links add']

export const memberFlags = {
  rename: {
    value: 'NAME',
    about: 'The new name of the member or the group. What the member has written keeps the old name.',
    onlyFor: ['members update', 'groups update'],
  },
  handle: {
    value: 'HANDLE',
    about: 'A short name with which the member is mentioned, such as `anna` for `@anna`. `none` removes it.',
    onlyFor: NAMED,
  },
  picture: {
    value: 'EMOJI',
    about: 'An emoji or up to three letters that stand for the member. `none` removes it.',
    onlyFor: NAMED,
  },
  'give-to': {
    value: 'MEMBER',
    about: 'Give the open work of the member who is removed to this member or group, by ID, `@handle` or name.',
    see: 'members.md#who-is-removed',
    onlyFor: ['participants remove', 'links revoke'],
  },
  'keep-work': {
    about: 'Leave the open work under the name of the member who is removed.',
    onlyFor: ['participants remove', 'links revoke'],
  },
  again: {
    about: 'Apply the erasures of a list again. Give the path of the list instead of a participant.',
    onlyFor: ['participants erase'],
  },
  list: {
    value: 'FILE',
    about:
      'The list to which the erasure is added, with IDs and salted hashes but no names. Default: `.erased.jsonl`, beside the file of the space. A space in a database needs it.',
    onlyFor: ['participants erase'],
  },
  group: {
    value: 'GROUP',
    about:
      'Give the link to a group: each person in it gets an address of their own, which ends when they leave the group.',
    see: 'members.md#links-for-a-group',
    onlyFor: ['links add'],
  },
  add: {
    value: 'LIST',
    about: 'Members to add to the group, by ID, `@handle` or name, separated by commas.',
    parse: listOf(',', 'members'),
    onlyFor: ['groups add', 'groups update'],
  },
  remove: {
    value: 'LIST',
    about: 'Members to take out of the group, by ID, `@handle` or name, separated by commas.',
    parse: listOf(',', 'members'),
    onlyFor: ['groups update'],
  },
} as const satisfies Record<string, Flag>
