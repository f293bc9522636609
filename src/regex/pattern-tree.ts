/** The syntax tree of a pattern. It has no flags: they are already applied to the sets, to `.` and to `^`. */
import type { Ranges } from './ranges.ts'

/** Zero-width: depends on the characters on both sides of a place and consumes none. */
export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'word' | 'notWord'

export interface Lookaround {
  kind: 'look'
  behind: boolean
  negative: boolean
  item: Node
}

/** `at`: the place in the pattern, as reported in errors. */
export interface Repeat {
  kind: 'repeat'
  item: Node
  min: number
  max: number
  greedy: boolean
  at: number
}

export type Node =
  | { kind: 'set'; set: Ranges }
  | { kind: 'sequence'; items: readonly Node[] }
  | { kind: 'choice'; items: readonly Node[] }
  | { kind: 'group'; index: number; item: Node }
  | { kind: 'assertion'; what: Assertion }
  | Repeat
  | Lookaround

export const EMPTY: Node = { kind: 'sequence', items: [] }

/** Number of characters that every match of the node consumes; undefined if it varies. */
export function widthOf(node: Node): number | undefined {
  switch (node.kind) {
    case 'set':
      return 1
    case 'assertion':
    case 'look':
      return 0
    case 'group':
      return widthOf(node.item)
    case 'sequence':
      return node.items.reduce<number | undefined>((sum, item) => add(sum, widthOf(item)), 0)
    case 'choice': {
      const [first, ...others] = node.items.map(widthOf)
      return others.every((width) => width === first) ? first : undefined
    }
    case 'repeat': {
      const width = widthOf(node.item)
      if (width === 0) return 0
      return node.min === node.max && width !== undefined ? width * node.min : undefined
    }
  }
}

const add = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other

/** True if the node can match without consuming a character. */
export function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return false
    case 'assertion':
    case 'look':
      return true
    case 'group':
      return canBeEmpty(node.item)
    case 'sequence':
      return node.items.every(canBeEmpty)
    case 'choice':
      return node.items.some(canBeEmpty)
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.item)
  }
}
