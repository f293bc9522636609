/** Texts that others lost, through the tools, the import and the export, and a comparison of what is shown before and after. */
import { join } from 'node:path'
import fc from 'fast-check'
import { lossesIn } from '../../src/losses/losses-in.ts'
import { ITEM_KINDS } from '../../src/losses/visible-item.ts'
import type { Block } from '../../src/markdown/block.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { findReadmes } from '../demo/readmes.ts'
import { described, lossesOf, specificationExamples } from './cases/checked-texts.ts'
import { documentsOf, PARTS } from './cases/generated-markdown.ts'
import { IMPORT_CASES } from './cases/import-cases.ts'
import {
  compareWithKnown,
  KNOWN_CASES,
  KNOWN_EXAMPLES,
  KNOWN_PARTS,
  KNOWN_README_LOSSES,
} from './cases/known-losses.ts'
import { PAGE_CASES } from './cases/page-cases.ts'
import { PLANTED } from './cases/planted-losses.ts'
import { failedCases } from './cases/run-cases.ts'
import { TOOL_CASES } from './cases/tool-cases.ts'
import { type Proof, type ProofContext, times } from './proof.ts'

/** Documents of one part, of which a known loss must show in one. */
const DOCUMENTS_OF_PART = 50
const PLANTED_DOCUMENTS = 300

const CASES = TOOL_CASES.length + PAGE_CASES.length + IMPORT_CASES.length
const KEPT_PARTS = Object.keys(PARTS).filter((name) => !Object.hasOwn(KNOWN_PARTS, name))

async function run(context: ProofContext) {
  const failed = await failedCases([...TOOL_CASES, ...PAGE_CASES], IMPORT_CASES, context.folder)
  context.log(`${CASES} cases, ${failed.size} fail`)
  const examples = specificationExamples()
  const readmes = findReadmes(join(import.meta.dirname, '../../node_modules'))
  const documents = times(context, 500, 10_000)
  return {
    figures: {
      cases: CASES,
      'known to fail': Object.keys(KNOWN_CASES).length,
      examples: examples.size,
      'of these known to lose something': Object.keys(KNOWN_EXAMPLES).length,
      READMEs: readmes.length,
      'kinds of losses known there': `${Object.keys(KNOWN_README_LOSSES).length} of ${ITEM_KINDS.length}`,
      'generated documents': documents,
      'kinds of parts': KEPT_PARTS.length,
      'others known to lose something': Object.keys(KNOWN_PARTS).length,
    },
    faults: [
      ...compareWithKnown('case', KNOWN_CASES, failed),
      ...compareWithKnown('example', KNOWN_EXAMPLES, lostExamples(examples)),
      ...compareWithKnown('loss in READMEs', KNOWN_README_LOSSES, lostInReadmes(readmes)),
      ...generatedFaults(documents, context),
      ...compareWithKnown('part', KNOWN_PARTS, lostParts(context)),
    ],
  }
}

function lostExamples(examples: ReadonlyMap<string, string>): Map<string, string> {
  const found = [...examples].map(([name, markdown]) => [name, described(lossesOf(markdown))] as const)
  return new Map(found.filter(([, losses]) => losses !== ''))
}

/** By kind, the first README that lost something of it. */
function lostInReadmes(readmes: readonly { title: string; markdown: string }[]): Map<string, string> {
  const failed = new Map<string, string>()
  for (const { title, markdown } of readmes) {
    for (const loss of lossesOf(markdown)) {
      if (!failed.has(loss.kind)) failed.set(loss.kind, `${described([loss])} of ${title}`)
    }
  }
  return failed
}

function generatedFaults(count: number, { seed, log }: ProofContext): string[] {
  const property = fc.property(documentsOf(KEPT_PARTS), (markdown) => lossesOf(markdown).length === 0)
  const { failed, counterexample } = fc.check(property, { numRuns: count, seed })
  log(`${count} generated documents, ${failed ? 'one with a loss' : 'without a loss'}`)
  if (!failed || counterexample === null) return []
  const [markdown] = counterexample
  return [`generated document (seed ${seed}): ${described(lossesOf(markdown))} in ${JSON.stringify(markdown)}`]
}

/** The parts that are known to lose something, and still do. */
function lostParts({ seed }: ProofContext): Map<string, string> {
  const found = Object.keys(KNOWN_PARTS).map((name) => {
    const samples = fc.sample(documentsOf([name]), { numRuns: DOCUMENTS_OF_PART, seed })
    return [name, described(samples.flatMap(lossesOf))] as const
  })
  return new Map(found.filter(([, losses]) => losses !== ''))
}

/** Each way to lose something, at every block of generated documents. All must be found. */
async function control({ seed }: ProofContext) {
  const samples = fc.sample(documentsOf(KEPT_PARTS), { numRuns: PLANTED_DOCUMENTS, seed })
  const planted = new Map(Object.keys(PLANTED).map((name) => [name, 0]))
  const missed: string[] = []
  for (const markdown of samples) {
    const blocks: Block[] = readMarkdown(markdown)
    for (const [name, plant] of Object.entries(PLANTED)) {
      for (const [index, block] of blocks.entries()) {
        const changed = plant(block)
        if (changed === undefined) continue
        planted.set(name, (planted.get(name) ?? 0) + 1)
        if (lossesIn(markdown, blocks.with(index, changed)).length === 0)
          missed.push(`${name} of block ${index} of ${JSON.stringify(markdown)}`)
      }
    }
  }
  const never = [...planted].filter(([, count]) => count === 0).map(([name]) => `${name} was never planted`)
  const count = [...planted.values()].reduce((sum, each) => sum + each, 0)
  const figures = { 'losses planted': count, 'ways to lose something': planted.size, missed: missed.length }
  const isComplete = missed.length === 0 && never.length === 0
  return {
    figures: isComplete ? figures : { ...figures, first: missed[0] ?? never[0] ?? '' },
    faults: isComplete ? [`all ${count} planted losses`] : [],
  }
}

export const proof: Proof = {
  promise: 'What is visible of a text is visible in what is stored, read back and exported, or a report names it.',
  run,
  control,
}
