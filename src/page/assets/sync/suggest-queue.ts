/**
 * Suggests what is typed in place of writing it: the server keeps its text, and the difference between that and the text
 * of the editor waits as one proposal, which what is typed next takes the place of. Loaded where people suggest.
 */
import type { Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { STEPS_PER_BATCH } from '../../../base/limits/call-limits.ts'
import type { Title } from '../../../markdown/inline-title.ts'
import type { OwnSuggestions } from '../../blocks/suggested-text-blocks.ts'
import { announce } from '../announcement.ts'
import { calls, type Outcome, type ToolCall } from '../calls.ts'
import { schema } from '../model/editor-schema.ts'
import { blockOf, idOf, nodeOf, type PageBlock } from '../model/page-block.ts'
import type { ChangeStep } from '../model/page-changes.ts'
import { mergePage } from '../model/page-merge.ts'
import type { PageModel } from '../model/page-model.ts'
import { titleStep } from '../model/page-step.ts'
import { revertBlocks } from '../model/revert-blocks.ts'
import { inBackground } from '../page-background.ts'
import { text } from '../page-text.ts'
import { randomHex } from '../session-name.ts'
import { isName, newName } from '../unsent/placeholders.ts'
import { type EditedDocument, PageQueue, type QueuedPage } from './page-queue.ts'
import { readOwnSuggestions } from './read-own-suggestions.ts'

/** Milliseconds without a key press after which it is suggested, and the maximum delay while typing goes on. */
const PAUSE_MS = 800
const LONGEST_MS = 4_000

/** Reads after which the page has what was accepted before the first of them began. */
const READS = 2

/** Names of versions that a call sends. Those before them have been replaced. */
const MOST_SEEN = 20
const VERSION_BYTES = 8

const NOT_SUGGESTED = text('Only text can be suggested. Choose Edit above the document to add this.')

/** What was decided of all that was suggested. */
interface Decided {
  asked: string
  /** The blocks whose parts wait. */
  waiting: ReadonlySet<string>
  /** How often the page was read since. */
  reads: number
}

export class SuggestQueue extends PageQueue {
  readonly #edited: EditedDocument
  /** A placeholder for the ID of the proposal. */
  readonly #proposal = newName()
  /** The IDs of proposals that were made before, until the first call takes their place. */
  #earlier: readonly string[] = []
  /** The names of what was suggested, as far as this page knows it. */
  readonly #seen: string[] = []
  /** The blocks as they were suggested last. */
  #base: readonly PageBlock[]
  /** The steps of what was typed last, as JSON, with the texts of then, those of the last call in the queue, and those that the server has. */
  #asked = '[]'
  #askedTexts: ReadonlyMap<string, string> = new Map()
  #queued = '[]'
  #answered = '[]'
  /** The position of the last call in the queue. */
  #order: number | undefined
  /** The placeholders of blocks, by the IDs that proposals have promised for them. */
  readonly #promised = new Map<string, string>()
  /** What was read of the decisions last. */
  #decided: Decided | undefined
  #keepingAll: Promise<unknown> = Promise.resolve()
  #changesMade = 0
  /** The step that changes the title. */
  #title: ChangeStep | undefined
  readonly #withdrawAll = Object.assign(document.createElement('button'), {
    ...{ type: 'button', className: 'plain', textContent: text('Withdraw all') },
  })
  #timer: ReturnType<typeof setTimeout> | undefined
  #since: number | undefined

  constructor(page: QueuedPage, model: PageModel, edited: EditedDocument) {
    super(page, model, edited)
    this.#edited = edited
    this.#base = model.sent
  }

  override start(): void {
    this.#withdrawAll.addEventListener('click', () => {
      this.withdraw([...this.#texts.keys(), ...this.model.sent.map(({ id }) => id)])
      // The button is gone.
      document.querySelector<HTMLElement>('.ProseMirror')?.focus()
    })
    calls.addEventListener('outcome', (event) => {
      const { detail } = event as CustomEvent<Outcome>
      if (detail.document === this.page.documentId && detail.order === this.#order)
        this.#keep(() => this.#after(detail))
    })
    document.body.addEventListener('spacefeed', (event) => {
      const { isProposal } = (event as CustomEvent<{ isProposal?: boolean }>).detail
      if (isProposal) inBackground(() => this.#readDecisions())
    })
    window.addEventListener('pagehide', () => this.flush())
  }

  override changed(before: Node, { doc }: Transaction): void {
    if (doc !== before) this.#schedule()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    this.#since ??= performance.now()
    const left = this.#since + LONGEST_MS - performance.now()
    this.#timer = setTimeout(() => this.flush(), Math.max(0, Math.min(PAUSE_MS, left)))
  }

  override resume(own: OwnSuggestions): void {
    if (own.proposals.length > 0) this.#adopt(own)
  }

  /** The document of the editor becomes the page as it is suggested, with what was typed since. */
  #adopt({ proposals, versions, order, blocks, added, removed }: OwnSuggestions): void {
    for (const id of added) if (!this.#promised.has(id)) this.#promised.set(id, newName())
    const nameOf = (id: string) => this.#promised.get(id) ?? id
    const given = new Map((blocks as readonly PageBlock[]).map((block) => [nameOf(block.id), block]))
    const before = new Map(this.#base.map((block) => [block.id, block]))
    const gone = new Set(removed)
    const ids = order.map(nameOf)
    // What others removed meanwhile goes with the next read of the page, since it is not suggested here.
    for (const [index, { id }] of this.model.sent.entries())
      if (!ids.includes(id) && !gone.has(id)) ids.splice(index === 0 ? 0 : ids.indexOf(ids[index - 1] ?? '') + 1, 0, id)
    const theirs = ids.flatMap((id): PageBlock[] => {
      const block = given.get(id) ?? this.model.sentBlock(id) ?? (isName(id) ? before.get(id) : undefined)
      // What others have added meanwhile comes with the next read as well.
      return block === undefined ? [] : [{ ...block, id }]
    })
    const read = { order: theirs.map(({ id }) => id), blocks: theirs }
    const { current } = this.#edited
    this.#edited.dispatch(mergePage(current, this.#base, read, newName, false).transaction)
    this.#earlier = proposals
    this.#seen.push(...versions)
    document.body.dataset.suggested = proposals.join(',')
    this.#asked = JSON.stringify(this.#stepsTo(schema.nodes.doc.create(null, theirs.map(nodeOf))))
    this.#queued = this.#answered = this.#asked
    this.#base = theirs
    this.#askedTexts = this.#texts
    this.#showButton()
  }

  override flush(): void {
    clearTimeout(this.#timer)
    this.#since = undefined
    const steps = this.#steps
    const asked = JSON.stringify(steps)
    if (asked === this.#asked) return
    const isFirst = this.#asked === '[]'
    this.#asked = asked
    this.#askedTexts = this.#texts
    this.#base = this.#edited.state.doc.content.content.map(blockOf)
    this.#showButton()
    if (steps.length > STEPS_PER_BATCH)
      announce(text('These are many changes for one suggestion. The last ones wait until others are decided on.'))
    this.#keep(() => this.#suggest(steps.slice(0, STEPS_PER_BATCH), asked, isFirst))
  }

  #showButton(): void {
    if (this.#asked === '[]') this.#withdrawAll.remove()
    else document.querySelector('.suggesting')?.append(' ', this.#withdrawAll)
  }

  override withdraw(ids: Iterable<string>): void {
    const all = new Set(ids)
    const { current } = this.#edited
    if (all.delete(this.model.pageId)) this.onTitleRejected()
    // Undo brings it back.
    this.#edited.dispatch(revertBlocks(current, this.model.sent, all).setMeta('addToHistory', true))
    this.flush()
    announce(text('Withdrawn.'))
  }

  /** What is different from what the server has. */
  get #steps(): readonly ChangeStep[] {
    return this.#stepsTo(this.#edited.state.doc)
  }

  #stepsTo(doc: Node): readonly ChangeStep[] {
    const steps = this.model.change(doc).steps.filter((step) => !isCheck(step))
    return this.#title === undefined ? steps : [this.#title, ...steps]
  }

  /** What stands in the editor, by the IDs of blocks. */
  get #texts(): Map<string, string> {
    const texts = new Map([[this.model.pageId, JSON.stringify(this.#title)]])
    for (const node of this.#edited.state.doc.content.content) texts.set(idOf(node), blockOf(node).markdown)
    return texts
  }

  override get isSuggesting(): boolean {
    return true
  }

  override suggestTitle(title: Title | undefined, base: string): void {
    const step = title && titleStep(this.model.pageId, title, base)
    this.#title = step && { tool: 'blocks_update', arguments: step.arguments }
    this.#schedule()
  }

  async #suggest(steps: readonly ChangeStep[], asked: string, isFirst: boolean): Promise<void> {
    this.#queued = asked
    if (steps.length === 0) return this.#withdraw()
    const call = this.#callFor(steps, isFirst)
    const isAmended =
      this.#order !== undefined &&
      (await calls.amend(this.#order, ({ order, key, document }) => ({ ...call, order, key, document })))
    if (!isAmended) this.#order = await calls.keep(call)
  }

  #callFor(steps: readonly ChangeStep[], isFirst: boolean): ToolCall {
    const version = randomHex(VERSION_BYTES)
    const seen = this.#seen.slice(-MOST_SEEN)
    this.#seen.push(version)
    const [step] = steps
    const isOne = steps.length === 1 && step !== undefined
    const added = steps.flatMap(({ added = [] }, index) =>
      added.map((name, at) => [name, isOne ? `items.${at}.id` : `items.${index}.ids.${at}`] as const),
    )
    return {
      document: this.page.documentId,
      tool: isOne ? step.tool : 'batch',
      arguments: isOne
        ? step.arguments
        : { steps: steps.map(({ tool, arguments: given }) => ({ tool, arguments: given })) },
      suggest: { replaces: isFirst ? [] : [this.#proposal, ...this.#earlier], version, seen },
      names: { [this.#proposal]: 'proposal.proposalId', ...Object.fromEntries(added) },
    }
  }

  /** Everything was taken back. */
  async #withdraw(): Promise<void> {
    const { documentId } = this.page
    await calls.settled(documentId)
    const ids = await this.#ids()
    if (ids.length === 0) return
    const fields = ids.map((id) => ['proposal', id] as const)
    const form = { action: '/suggestions/withdraw', fields, text: '', at: Date.now() }
    this.#order = await calls.keep({ document: documentId, tool: '', arguments: {}, form })
    this.#earlier = []
  }

  async #after(outcome: Outcome): Promise<void> {
    if ('error' in outcome) {
      if (await this.#sync()) return
      // Nothing is left to take back if it was decided.
      if (this.#asked !== '[]') announce(text('Not suggested. {message}', { message: outcome.error.message }))
      return
    }
    this.#answered = this.#queued
    const proposalId = await calls.idOf(this.#proposal)
    if (proposalId !== undefined) {
      this.#earlier = []
      document.body.dataset.suggested = proposalId
    }
    for (const name of this.#names) {
      const id = await calls.idOf(name)
      if (id !== undefined) this.#promised.set(id, name)
    }
  }

  /** The IDs of what waits. */
  async #ids(): Promise<readonly string[]> {
    const id = await calls.idOf(this.#proposal)
    return id === undefined || this.#earlier.length > 0 ? this.#earlier : [id]
  }

  /** Reads what was suggested meanwhile, on another page or by somebody with the same link. @returns true if anything was */
  async #sync(): Promise<boolean> {
    const own = await readOwnSuggestions({ ...this.page, pageId: this.model.pageId })
    if (own.versions.every((version) => this.#seen.includes(version))) return false
    this.#adopt(own)
    this.flush()
    return true
  }

  get #names(): string[] {
    return this.#edited.state.doc.content.content.map(idOf).filter(isName)
  }

  /** Blocks that were accepted have the IDs that were promised for them. */
  override expect(order: readonly string[]): void {
    const there = new Set(this.#names)
    for (const id of order) {
      const name = this.#promised.get(id)
      if (name === undefined || !there.has(name)) continue
      this.#edited.dispatch(this.model.rename(this.#edited.current, name, id))
    }
    // Once what was read is shown.
    setTimeout(() => this.#takeBackRejected())
    this.#schedule()
  }

  /** Asks which parts still wait, and then reads the page twice: the second read has what was accepted by then. */
  async #readDecisions(): Promise<void> {
    await this.kept()
    const [asked, proposals] = [this.#asked, await this.#ids()]
    if (proposals.length === 0 || asked === '[]' || this.#answered !== asked) return
    if (await this.#sync()) return
    const ids: string[] = []
    for (const id of proposals) {
      const response = await fetch(`${this.page.base}/suggestions/${id}/waiting`)
      if (!response.ok) return
      ids.push(...((await response.json()) as string[]))
    }
    const waiting = new Set(ids.flatMap((id) => [id, this.#promised.get(id) ?? '']))
    this.#decided = { asked, waiting, reads: 0 }
    this.onDue()
  }

  /** What does not wait any more and is not there either was rejected: it is the text of the server again. */
  #takeBackRejected(): void {
    const decided = this.#decided
    if (decided === undefined) return
    if (++decided.reads < READS) {
      this.onDue()
      return
    }
    this.#decided = undefined
    // Something was typed meanwhile. It is suggested again, and decided on again.
    if (this.#asked !== decided.asked) return
    const now = this.#texts
    // What was typed since is not suggested yet.
    const isDecided = (id: string) => !decided.waiting.has(id) && now.get(id) === this.#askedTexts.get(id)
    const rejected = new Set(this.#steps.flatMap(idsOfStep).filter(isDecided))
    if (rejected.size === 0) return
    if (rejected.delete(this.model.pageId)) this.onTitleRejected()
    this.#edited.dispatch(revertBlocks(this.#edited.current, this.model.sent, rejected))
    // So that the same, typed again, is another suggestion.
    this.flush()
    announce(text('A suggestion of yours was rejected. Its text is as it was.'))
  }

  #keep(work: () => Promise<unknown>): void {
    this.#changesMade++
    this.#keepingAll = this.#keepingAll.then(work).catch((error) => this.onFailure(error))
  }

  override async kept(): Promise<void> {
    await this.#keepingAll
  }

  override get changes(): number {
    return this.#changesMade
  }

  override write(): void {
    announce(NOT_SUGGESTED)
  }

  override insert(): void {
    announce(NOT_SUGGESTED)
  }

  override insertFile(): void {
    announce(NOT_SUGGESTED)
  }

  override moveAway(): void {
    announce(NOT_SUGGESTED)
  }
}

/** True for a step that only checks the texts of blocks which are deleted next: the person who decides sees the present ones. */
const isCheck = ({ tool, arguments: { blocks } }: ChangeStep): boolean =>
  tool === 'blocks_update' && (blocks as { expectedMarkdown?: string }[]).every((one) => 'expectedMarkdown' in one)

/** The blocks that a step changes, by their IDs or placeholders. */
function idsOfStep({ tool, arguments: input, added = [] }: ChangeStep): readonly string[] {
  switch (tool) {
    case 'blocks_update':
      return (input.blocks as { id: string }[]).map(({ id }) => id)
    case 'blocks_add':
      return added
    case 'blocks_move':
    case 'blocks_delete':
      return input.blockIds as string[]
  }
}
