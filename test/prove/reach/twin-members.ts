/**
 * Members and groups of twins. The same ones are named in the visible part of both; others, and who is in which group,
 * differ.
 */
import { addAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { addGroup, updateGroup } from '../../../src/space/members/groups.ts'
import { OPERATOR_LINK, type Space } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { accessLinkById } from '../../../storage/access-links.ts'
import { memberThatIsLink } from '../../../storage/members.ts'
import type { Chance } from '../test-client/generated-calls.ts'
import type { TestClient } from '../test-client/test-client.ts'
import { done, type Things } from '../test-client/things.ts'

type Part = <T>(work: () => Promise<T>) => Promise<T>

/** IDs of members. */
export interface TwinMembers {
  /** An agent and a group, who are named in the visible part. */
  agent: string
  group: string
  /** Of the hidden part, agents and groups. The first of them is named in a comment of the visible part. */
  hidden: string[]
}

const NAMES = ['xylophone', 'zeppelin', 'Robo', 'Crew'] as const

export async function makeMembers(
  space: OpenSpace,
  luck: Chance,
  { see, hide }: { see: Part; hide: Part },
): Promise<TwinMembers> {
  const write = <T>(work: (view: Space) => Promise<T>) => space.write(OPERATOR_LINK, work)
  const agent = await see(() => write((view) => addAgent(view, 'Robo')))
  const group = await see(() => write(async (view) => (await addGroup(view, 'Crew', { add: [agent] })).id))
  const hidden = [await hide(() => write((view) => addAgent(view, 'xylophone')))]
  // As many links in both: the proof numbers the secrets of links, which are random otherwise.
  for (let count = 3; count > 0; count--) {
    hidden.push(await hide(() => write((view) => addAgent(view, luck.one(NAMES)))))
  }
  const some = () => hidden.filter(() => luck.is(0.5))
  await hide(() => write((view) => updateGroup(view, group, { add: some(), remove: luck.is(0.5) ? [agent] : [] })))
  const add = [...some(), agent]
  hidden.push(await hide(() => write(async (view) => (await addGroup(view, 'zeppelin', { add })).id)))
  return { agent, group, hidden }
}

async function addAgent(view: Space, name: string): Promise<string> {
  const input = { kind: 'full', access: 'full', documents: [], isBearer: false } as const
  const { info } = await addAccessLink(view, { ...input, name })
  const link = await accessLinkById(view.tx, info.id)
  const member = link && (await memberThatIsLink(view.tx, link.n, view.now))
  if (member === undefined) throw new Error(`Expected the member ${name} that was added.`)
  return String(member.id)
}

/** Names the visible members in the visible part, and a hidden one in a comment, which makes no one known. */
export async function nameMembers(
  full: TestClient,
  { agent, group, hidden }: TwinMembers,
  seen: Things,
): Promise<void> {
  const markdown = `[@Robo](person://${agent}) and [@Crew](person://${group})`
  await done(full, 'blocks_add', { markdown, position: { position: 'end', pageId: seen.document } })
  await done(full, 'tasks_update', { tasksToUpdate: [{ id: seen.task, taskInfo: { assignee: group } }] })
  const [one = '', ...others] = hidden
  const content = `[@somebody](person://${one}) in [@something](person://${others.at(-1) ?? ''})`
  await done(full, 'comments_add', { comments: [{ blockId: seen.block, content }] })
}
