/**
 * Shows the history of rows as a connection sees it, for undo.
 *
 * A connection that reaches only a part of the space neither changes nor learns of anything else. So undo is planned
 * from what the connection sees: a row that left its reach looks deleted, one that came into its reach looks added, and
 * what happened to a row elsewhere is left out. Two spaces that differ only in what is out of reach then give the same
 * answers.
 *
 * Documents as such are not undone over such a connection, since it has no tools for them. Neither are moves of blocks
 * into its reach or out of it, nor relations to what is out of reach: see {@link UndoReach.isFixed}.
 */
import { changesOfRows, type HistoryRow, rowsByNumbers } from '../../../storage/history.ts'
import { historyTable, type TableName } from '../../../storage/history-tables.ts'
import { iterateCooperatively, readInChunks } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import type { RowEvent, RowHistory, RowState } from './row-history.ts'
import { currentDocuments, type DocumentVisibility, documentsOf, documentVisibility } from './visible-history.ts'

/** Tables whose rows are neither shown nor changed over a connection that reaches only a part of the space. */
const WHOLE_SPACE: ReadonlySet<TableName> = new Set(['folder', 'document'])

/** The number of the call of an event that the connection does not see. Calls count from 1. */
export const UNSEEN_CALL = 0

export class UndoReach {
  readonly #space: Space
  readonly #isOperator: boolean
  readonly #ownCalls: ReadonlySet<number>
  /** The documents of blocks that values and relations refer to, also of deleted ones. */
  readonly #targetDocuments = new Map<number, number>()
  /** All documents that {@link #isVisible} knows. */
  readonly #documents = new Set<number>()
  #isVisible: DocumentVisibility = () => true
  #own: Promise<number | undefined> | undefined

  /**
   * @param isOperator  true for the operator, who may undo anything
   * @param ownCalls  the calls of the connection's own link
   */
  constructor(space: Space, isOperator: boolean, ownCalls: ReadonlySet<number>) {
    this.#space = space
    this.#isOperator = isOperator
    this.#ownCalls = ownCalls
  }

  /** True if a part of the space is out of reach. */
  get isNarrow(): boolean {
    return this.#space.kind !== 'full' && !this.#isOperator
  }

  /** The participant whose reminders the connection sees, if any. */
  ownParticipant(): Promise<number | undefined> {
    this.#own ??= this.#space.findOwnParticipant()
    return this.#own
  }

  /** Returns the histories as the connection sees them. Rows of which it sees nothing are left out. */
  async show(histories: ReadonlyMap<string, RowHistory>): Promise<Map<string, RowHistory>> {
    if (this.#isOperator) return new Map(histories)
    const own = await this.ownParticipant()
    const others = [...histories].filter(
      ([, { table, now }]) => table !== 'reminder' || now.columns.participant === own,
    )
    if (!this.isNarrow) return new Map(others)
    const documents = await this.#readPlaces(others.map(([, history]) => history))
    const shown = new Map<string, RowHistory>()
    for await (const [key, history] of iterateCooperatively(others)) {
      if (WHOLE_SPACE.has(history.table)) continue
      const visible = this.#showRow(history, documents.get(history))
      if (visible.events.length > 0) shown.set(key, visible)
    }
    return shown
  }

  /**
   * True for a change that the connection sees and may not undo: a block that came into its reach or left it, and a
   * relation that leads out of it. Its own tools could not make such a change either.
   *
   * @param history  as {@link show} returned it
   */
  isFixed({ table }: RowHistory, event: RowEvent): boolean {
    if (!this.isNarrow) return false
    if (table === 'property') return this.#leadsOut(event.before) || this.#leadsOut(event.after)
    return table === 'block' && event.crossesReach === true
  }

  /**
   * Returns those of these rows that the connection sees.
   *
   * @param rows  rows as they are now
   */
  async seenRows(table: TableName, rows: readonly HistoryRow[]): Promise<Set<HistoryRow>> {
    if (!this.isNarrow) return new Set(rows)
    const own = table === 'reminder' ? await this.ownParticipant() : undefined
    const histories = new Map(rows.map((row) => [presentRow(table, row), row]))
    const documents = await this.#readPlaces([...histories.keys()])
    const seen = new Set<HistoryRow>()
    for (const [history, row] of histories) {
      const isOthers = table === 'reminder' && row.participant !== own
      if (!isOthers && this.#isShown(history, history.now, documents.get(history), Infinity)) seen.add(row)
    }
    return seen
  }

  #showRow(history: RowHistory, current: number | undefined): RowHistory {
    const { table, events } = history
    const shown: RowEvent[] = []
    let last: RowState = { isThere: false, columns: {} }
    const add = (event: RowEvent) => {
      // The row changed its place without an entry of its own, since its block was moved.
      if (shown.length > 0 && last.isThere !== event.before.isThere)
        shown.push({ ...event, ...UNSEEN, before: last, after: event.before })
      shown.push(event)
      last = event.after
    }
    for (const [index, event] of events.entries()) {
      const placeAfter = table === 'block' ? event.after.columns.document : (events[index + 1]?.document ?? current)
      const placeBefore = table === 'block' ? event.before.columns.document : event.document
      const isBefore = this.#isShown(history, event.before, placeBefore, event.call)
      const isAfter = this.#isShown(history, event.after, placeAfter, event.call)
      if (isBefore || isAfter) add({ ...event, ...shownStates(event, isBefore, isAfter) })
    }
    const isNow = this.#isShown(history, history.now, current, Infinity)
    const now = isNow ? history.now : { isThere: false, columns: last.columns }
    const [end] = shown.slice(-1)
    if (end !== undefined && last.isThere !== isNow) shown.push({ ...end, ...UNSEEN, before: last, after: now })
    return { ...history, now, events: shown }
  }

  #isShown(
    { table, events }: RowHistory,
    state: RowState,
    document: HistoryRow[string] | undefined,
    call: number,
  ): boolean {
    if (!state.isThere || (table === 'value' && this.#leadsOut(state))) return false
    if (typeof document === 'number') return this.#isVisible(document, call)
    return events.length > 0 && events.every((event) => this.#ownCalls.has(event.call))
  }

  #leadsOut({ isThere, columns: { target } }: RowState): boolean {
    if (!isThere || typeof target !== 'number') return false
    const document = this.#targetDocuments.get(target)
    return document === undefined || !this.#isVisible(document, Infinity)
  }

  /** Reads the documents that rows are in now, or were in last, and which documents are visible. */
  async #readPlaces(histories: readonly RowHistory[]): Promise<ReadonlyMap<RowHistory, number>> {
    const documents = await currentDocuments(this.#space.tx, histories)
    await this.#readTargets(histories.flatMap(targetsOf))
    const found = [...documents.values(), ...this.#targetDocuments.values()]
    for (const one of found.concat(histories.flatMap(({ events }) => events.flatMap(documentsOf))))
      this.#documents.add(one)
    this.#isVisible = await documentVisibility(this.#space, this.#documents)
    return documents
  }

  async #readTargets(blocks: readonly number[]): Promise<void> {
    const { tx } = this.#space
    const unknown = [...new Set(blocks)].filter((block) => !this.#targetDocuments.has(block))
    const rows = await readInChunks(unknown, BLOCKS_PER_READ, (part) => rowsByNumbers(tx, 'block', part))
    for (const { n, document } of rows) this.#targetDocuments.set(n as number, document as number)
    const deleted = unknown.filter((block) => !this.#targetDocuments.has(block))
    const changes = await readInChunks(deleted, BLOCKS_PER_READ, (part) => changesOfRows(tx, 'block', part, 0))
    // The last change of a deleted block comes last, and names the document that it was deleted from.
    for (const { row, document } of changes) if (document !== null) this.#targetDocuments.set(row, document)
  }
}

const BLOCKS_PER_READ = 2_000

/** Overrides for an event that the connection does not see. */
const UNSEEN = { call: UNSEEN_CALL, isLost: false }

/** A state that is not shown looks as if the row did not exist, with the columns of the state that is shown. */
function shownStates({ before, after }: RowEvent, isBefore: boolean, isAfter: boolean): Partial<RowEvent> {
  if (isBefore === before.isThere && isAfter === after.isThere) return {}
  const { columns } = isBefore ? before : after
  return {
    before: isBefore ? before : { isThere: false, columns },
    after: isAfter ? after : { isThere: false, columns },
    crossesReach: true,
  }
}

/** The numbers of the blocks that a value or a relation refers to, now and before each change. */
function targetsOf({ table, now, events }: RowHistory): number[] {
  if (table !== 'value' && table !== 'property') return []
  const states = [now, ...events.flatMap(({ before, after }) => [before, after])]
  return states.map(({ columns }) => columns.target).filter((target) => typeof target === 'number')
}

function presentRow(table: TableName, row: HistoryRow): RowHistory {
  const [key = 'n'] = historyTable(table).key
  return { table, number: row[key] as number, now: { isThere: true, columns: row }, events: [] }
}
