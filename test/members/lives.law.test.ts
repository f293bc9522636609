/**
 * Members live: they are added, renamed, removed and put in groups, and links are narrowed. Meanwhile they are mentioned,
 * given work, and write. Whatever happens, every reference stays readable: who is meant, under which name, and who wrote.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addAccessLink, exposeDocuments, getActiveLink } from '../../src/auth/access-links/access-links.ts'
import { endLink, endParticipant } from '../../src/auth/access-links/ended-members.ts'
import { addGroupLink, giveToNewcomers } from '../../src/auth/access-links/group-links.ts'
import { addGroup, listGroups, removeGroup, updateGroup } from '../../src/space/members/groups.ts'
import { updateMember } from '../../src/space/members/update-member.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { collectionOf } from '../collection.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { brokenLaws } from '../sound.ts'
import { runs, timeOfRuns } from '../support/runs.ts'

/** A member as the law knows it. */
interface Known {
  kind: 'person' | 'agent' | 'group'
  id: string
  name: string
  isThere: boolean
  /** Of an agent: its link. */
  link?: string
  /** Of a group: the IDs of those in it. */
  members: Set<string>
}

class Lives {
  readonly full: Connected
  readonly document: string
  readonly collectionId: string
  readonly known: Known[] = []
  /** The texts that were written, each with the author that it had. */
  readonly texts: string[] = []
  /** The tasks and items, with the ID of the member that each has. */
  readonly tasks = new Map<string, string>()
  readonly items = new Map<string, string>()
  readonly authors: string[] = []
  #count = 0

  constructor(full: Connected, document: string, collectionId: string) {
    this.full = full
    this.document = document
    this.collectionId = collectionId
  }

  write<T>(work: (view: Space) => Promise<T>): Promise<T> {
    return this.full.space.write(OPERATOR_LINK, work)
  }

  /** One of those who are there, if any. */
  pick(which: number, isWanted: (one: Known) => boolean = () => true): Known | undefined {
    const some = this.known.filter((one) => one.isThere && isWanted(one))
    return some[which % Math.max(some.length, 1)]
  }

  async add(kind: Known['kind']): Promise<void> {
    const name = `${kind} ${++this.#count}`
    const link = await this.write(async (view) => {
      if (kind === 'person') await addParticipant(view, name)
      else if (kind === 'group') await addGroup(view, name, {})
      else return (await addAccessLink(view, { ...AGENT, documents: [this.document], name })).info.id
      return undefined
    })
    const { members } = await this.full.call('connection_get')
    const { id } = members.find((one: Answer) => one.name === name)
    this.known.push({ kind, id, name, isThere: true, members: new Set(), ...(link !== undefined && { link }) })
  }

  async rename(one: Known): Promise<void> {
    one.name = `${one.name} again`
    await this.write((view) => updateMember(view, one.id, { name: one.name }))
  }

  async remove(one: Known, to: Known | undefined): Promise<void> {
    const decision = to === undefined || to === one ? { keepsWork: true } : { giveTo: to.id }
    if (one.kind === 'group') await this.write((view) => removeGroup(view, one.id))
    else {
      await this.write(async (view) => {
        if (one.link === undefined) await endParticipant(view, one.name, decision)
        else await endLink(view, one.link, decision)
      })
      if (to !== undefined && to !== one) {
        for (const work of [this.tasks, this.items])
          for (const [id, member] of work) if (member === one.id) work.set(id, to.id)
      }
    }
    one.isThere = false
    for (const { members } of this.known) members.delete(one.id)
  }

  async change(group: Known, one: Known): Promise<void> {
    const isIn = group.members.has(one.id)
    await this.write(async (view) => {
      await updateGroup(view, group.id, isIn ? { remove: [one.id] } : { add: [one.id] })
      await giveToNewcomers(view, group.id)
    })
    if (!group.members.delete(one.id)) group.members.add(one.id)
  }

  async giveLink(group: Known): Promise<void> {
    const link = { kind: 'selected', access: 'read', documents: [this.document], isBearer: false } as const
    await this.write((view) => addGroupLink(view, { ...link, group: group.id }))
  }

  /** A link reaches another document, and its old one again. */
  async narrow({ link = '' }: Known): Promise<void> {
    const other = await documentOf(this.full, 'other')
    this.authors.push('tester')
    for (const id of [other, this.document]) await this.write((view) => exposeDocuments(view, link, [id]))
  }

  async mention(one: Known, author: Known | undefined): Promise<void> {
    const markdown = `${this.texts.length}: [@${one.name}](person://${one.id})`
    const by = author?.link === undefined ? this.full : await this.connect(author.link)
    const position = { position: 'end', pageId: this.document }
    const { items } = await by.call('blocks_add', { blocks: [{ type: 'text', markdown }], position })
    const comment = { blockId: items[0].id, content: markdown }
    await by.call('comments_add', { comments: [comment] })
    // A link that does not know the member mentions no one.
    const stored = await this.full.call('blocks_get', { id: items[0].id })
    expect([markdown, markdown.replace(/person:\S+\)/, 'invalid:out_of_scope)')]).toContain(plain(stored.markdown))
    this.texts.push(plain(stored.markdown))
    const name = by === this.full ? 'tester' : (author?.name ?? '')
    this.authors.push(name, name)
  }

  async give(one: Known): Promise<void> {
    const position = { position: 'end', pageId: this.document }
    const task = { type: 'text', markdown: 'do', listStyle: 'task', taskInfo: { assignee: one.id } }
    const { items } = await this.full.call('blocks_add', { blocks: [task], position })
    this.tasks.set(items[0].id, one.id)
    const item = { title: 'do', properties: { who: [one.id] } }
    const added = await this.full.call('items_add', { collectionId: this.collectionId, items: [item] })
    this.items.set(added.items[0].id, one.id)
    this.authors.push('tester', 'tester')
  }

  async connect(id: string): Promise<Connected> {
    const link = (await this.full.space.read(OPERATOR_LINK, (view) => getActiveLink(view, id))) as AccessLink
    return connect('selected', { to: this.full, documents: [this.document], caller: { link } })
  }

  /** Everything that names somebody, as it is read, and as the law has it. */
  async check(): Promise<void> {
    const { call, space } = this.full
    const names = new Map(this.known.map(({ id, name }) => [id, name]))
    const { content } = await call('blocks_get', { id: this.document, maxBlocks: 1_000 })
    const texts = content.map(({ markdown }: Answer) => plain(markdown)).filter((one: string) => /^\d+:/.test(one))
    expect(texts).toEqual(this.texts)
    for (const [id, member] of this.tasks) {
      const { assignee } = content.find((one: Answer) => one.id === id).taskInfo
      expect(assignee).toEqual({ id: member, name: names.get(member) })
    }
    const { items } = await call('items_list', { collectionId: this.collectionId, limit: 100 })
    for (const { id, properties } of items) {
      const member = this.items.get(id) ?? ''
      expect(properties.who).toEqual([{ memberId: member, name: names.get(member) }])
    }
    const { items: calls } = await call('history_list', { limit: 200 })
    const written = calls.map(({ author }: Answer) => author).filter((one: string) => one !== 'scriptorium')
    expect(written.toReversed().slice(written.length - this.authors.length)).toEqual(this.authors)
    const groups = await space.read(OPERATOR_LINK, listGroups)
    expect(new Map(groups.map(({ id, members }) => [id, new Set(members.map((one) => one.id))]))).toEqual(
      new Map(
        this.known.filter(({ kind, isThere }) => kind === 'group' && isThere).map(({ id, members }) => [id, members]),
      ),
    )
    const listed = (await call('connection_get')).members.map(({ id }: Answer) => id)
    for (const { id, isThere } of this.known) expect(listed.includes(id)).toBe(isThere)
    expect(await space.read(OPERATOR_LINK, ({ tx }) => brokenLaws(tx))).toEqual([])
    for (const { link, isThere } of this.known) if (link !== undefined && isThere) await this.#checkNarrow(link)
  }

  /** A narrow link reads the same texts, except that members whom it does not know are out of scope. */
  async #checkNarrow(link: string): Promise<void> {
    const narrow = await this.connect(link)
    const { content } = await narrow.call('blocks_get', { id: this.document, maxBlocks: 1_000 })
    const texts = content.map(({ markdown }: Answer) => plain(markdown)).filter((one: string) => /^\d+:/.test(one))
    // A mention in a text makes the member known.
    expect(texts).toEqual(this.texts)
    await narrow.client.close()
  }
}

const AGENT = { kind: 'selected', access: 'full', isBearer: false, participant: 'Owner' } as const

/** Without the tag of its comments. */
const plain = (markdown: string): string => markdown.replace(/<\/?comment[^>]*>/g, '')

type Act = (lives: Lives, one: Known, other: Known | undefined) => Promise<void>

/** What may happen, to one of those who are there. Groups and agents are what some of it needs. */
const ACTS: Readonly<Record<string, { of?: Known['kind']; with?: 'members'; act: Act }>> = {
  addPerson: { act: (lives) => lives.add('person') },
  addAgent: { act: (lives) => lives.add('agent') },
  addGroup: { act: (lives) => lives.add('group') },
  rename: { act: (lives, one) => lives.rename(one) },
  remove: { act: (lives, one, other) => lives.remove(one, other) },
  change: { of: 'group', with: 'members', act: async (lives, one, other) => other && lives.change(one, other) },
  giveLink: { of: 'group', act: (lives, one) => lives.giveLink(one) },
  narrow: { of: 'agent', act: (lives, one) => lives.narrow(one) },
  mention: { act: (lives, one, other) => lives.mention(one, other) },
  give: { act: (lives, one) => lives.give(one) },
}

const acts = fc.array(
  fc.record({ name: fc.constantFrom(...Object.keys(ACTS)), one: fc.nat(30), other: fc.option(fc.nat(30)) }),
  { minLength: 12, maxLength: 25, size: 'max' },
)

const RUNS = runs(2, 100)

test(
  'whatever becomes of members, all that names them stays readable',
  () =>
    fc.assert(
      fc.asyncProperty(acts, async (acts) => {
        const full = await connect()
        const document = await documentOf(full)
        const lives = new Lives(full, document, await collectionOf(full, [{ name: 'Who', type: 'person' }]))
        for (const kind of ['person', 'agent', 'group'] as const) await lives.add(kind)
        for (const { name, one, other } of acts) {
          const { of, with: among, act } = ACTS[name] as (typeof ACTS)[string]
          const first = lives.pick(one, ({ kind }) => of === undefined || kind === of)
          const second = other === null ? undefined : lives.pick(other, ({ kind }) => !among || kind !== 'group')
          if (first !== undefined || name.startsWith('add')) await act(lives, first as Known, second)
        }
        await lives.check()
      }),
      { numRuns: RUNS },
    ),
  timeOfRuns(RUNS),
)
