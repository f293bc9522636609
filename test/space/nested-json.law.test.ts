import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runToCompletion } from '../../src/base/work-steps.ts'
import type { BlockNode } from '../../src/space/blocks/block-tree.ts'
import type { BlockAnswer } from '../../src/space/reading/block-answer.ts'
import { blockTreeJson } from '../../src/space/reading/block-json.ts'
import { runs } from '../support/runs.ts'

const TYPES = ['text', 'page', 'collection', 'code']

/** A tree as its blocks in reading order, each at its depth or at the maximum possible one. */
const tree = fc.array(
  fc.record({ type: fc.constantFrom(...TYPES), depth: fc.oneof({ weight: 4, arbitrary: fc.constant(2) }, fc.nat(9)) }),
  { minLength: 1, maxLength: 200, size: 'max' },
)
type Tree = typeof tree extends fc.Arbitrary<infer Value> ? Value : never

test('a tree is serialized like JSON.stringify does', () => {
  fc.assert(
    fc.property(tree, (root) => {
      const { nodes, types } = readingOrder(root)
      const json = runToCompletion(blockTreeJson(nodes, (node) => answerOf(node, types)))
      expect(JSON.parse(json)).toEqual(whole(nodes[0], types))
    }),
    { numRuns: runs(50, 300) },
  )
})

test('a truncated tree shows parents with what is there, and does not call them empty', () => {
  fc.assert(
    fc.property(tree, fc.nat(), (root, chance) => {
      const { nodes, types } = readingOrder(root)
      const shown = nodes.slice(0, 1 + (chance % nodes.length))
      const json = runToCompletion(blockTreeJson(shown, (node) => answerOf(node, types)))
      expect(JSON.parse(json)).toEqual(whole(nodes[0], types, new Set(shown)))
    }),
    { numRuns: runs(50, 300) },
  )
})

test('no depth overflows the stack', () => {
  const nodes: BlockNode[] = []
  for (let n = 0; n < 100_000; n++) nodes.push({ n, depth: n, parent: nodes.at(-1), children: [] })
  for (const node of nodes) node.parent?.children.push(node)
  const json = runToCompletion(blockTreeJson(nodes, ({ n }) => ({ id: String(n), type: 'page', markdown: '' })))
  expect(json.match(/"id":"\d+","type":"page","markdown":"","content":\[/g)).toHaveLength(100_000)
  expect(json.endsWith(']}'.repeat(100_000))).toBe(true)
})

function readingOrder(tree: Tree): { nodes: BlockNode[]; types: string[] } {
  const nodes: BlockNode[] = []
  const around: BlockNode[] = []
  for (const [n, { depth: wanted }] of tree.entries()) {
    const depth = n === 0 ? 0 : Math.max(1, Math.min(wanted, around.length))
    const parent = around[depth - 1]
    const node: BlockNode = { n, depth, parent, children: [] }
    parent?.children.push(node)
    around.splice(depth, Infinity, node)
    nodes.push(node)
  }
  return { nodes, types: tree.map(({ type }) => type) }
}

/** With text that JSON must escape, and text that looks like the end of a list. */
const answerOf = ({ n }: BlockNode, types: readonly string[]): BlockAnswer => ({
  id: `${n}`,
  type: types[n] ?? '',
  markdown: `"}]${n}`,
})

/** A recursive reference: `content` if there is some, or if the type always has content. */
function whole(
  node: BlockNode | undefined,
  types: readonly string[],
  shown?: ReadonlySet<BlockNode>,
): BlockAnswer | undefined {
  if (node === undefined) return undefined
  const answer = answerOf(node, types)
  const children = node.children.filter((child) => shown?.has(child) ?? true)
  const isHolder = answer.type === 'page' || answer.type === 'collection'
  if (children.length > 0 || (isHolder && node.children.length === 0)) {
    answer.content = children.map((child) => whole(child, types, shown))
  }
  return answer
}
