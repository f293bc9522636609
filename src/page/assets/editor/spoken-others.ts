/** Tells screen readers what others changed in the document: a burst of changes is one sentence. */
import type { Node } from 'prosemirror-model'
import { speak, spokenRegion } from '../announcement.ts'
import { idOf } from '../model/page-block.ts'
import { count, text } from '../page-text.ts'

/** Milliseconds without a change after which a burst has ended, and the longest that one is waited for. */
const PAUSE_MS = 1_500
const LONGEST_MS = 10_000

export class SpokenOthers {
  readonly #changed = new Set<string>()
  readonly #names = new Set<string>()
  #since: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    spokenRegion()
  }

  /**
   * @param before  the document without what was changed
   * @param writers  the names of others who changed it; empty for own changes by a form or another tab, and for what
   *   the server writes otherwise than it was typed
   */
  add(before: Node, after: Node, writers: readonly string[]): void {
    if (writers.length === 0) return
    for (const id of changedIds(before, after)) this.#changed.add(id)
    for (const name of writers) this.#names.add(name)
    this.#since ??= performance.now()
    clearTimeout(this.#timer)
    const left = this.#since + LONGEST_MS - performance.now()
    this.#timer = setTimeout(() => this.#speak(), Math.max(0, Math.min(PAUSE_MS, left)))
  }

  #speak(): void {
    this.#since = undefined
    if (this.#changed.size > 0) speak(sentenceOf([...this.#names], this.#changed.size))
    this.#changed.clear()
    this.#names.clear()
  }
}

/** The blocks that were changed, added or deleted. */
function changedIds(before: Node, after: Node): string[] {
  const old = new Map(before.content.content.map((node) => [idOf(node), node]))
  const changed = after.content.content.filter((node) => old.get(idOf(node)) !== node).map(idOf)
  for (const node of after.content.content) old.delete(idOf(node))
  return [...changed, ...old.keys()]
}

function sentenceOf(names: readonly string[], changed: number): string {
  const who = names.join(text(' and '))
  return count(changed, { one: '{who} changed a block', other: '{who} changed {n} blocks' }, { who })
}
