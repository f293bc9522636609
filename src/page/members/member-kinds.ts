/** What members are, in menus, in the language of the page. */
import type { MemberEntry } from '../page-tools.ts'
import { type TextKey, textKey } from '../texts/text.ts'

export const MEMBER_KINDS: Readonly<Record<MemberEntry['kind'], TextKey>> = {
  person: textKey('person'),
  agent: textKey('agent'),
  group: textKey('group'),
}
