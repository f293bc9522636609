/**
 * Mutation tests with Stryker: measures how many changes of the sources the tests detect.
 *
 *     npm run prove -- mutants                            # two functions, in a minute
 *     MUTANTS=undo npm run prove -- mutants --seed 7      # a sample of a group, in minutes
 *     MUTANTS=undo npm run prove -- mutants --long        # a whole group; without MUTANTS all, which takes hours
 */

import { type Mutated, mutate, type Target } from './mutants/run.ts'
import { sampleLines } from './mutants/sample.ts'
import type { Proof, ProofContext, ProofResult } from './proof.ts'

/** Percentage of changes that must be detected. */
const SCORE = 85

const UNDO_TESTS = ['undo', 'undo-plan', 'undo-deletion', 'undo-reach', 'undo-within'].map(
  (name) => `test/history/${name}.test.ts`,
)

const TARGETS: Record<string, Target> = {
  cursors: { files: ['src/space/model/cursors.ts'], tests: ['test/space/cursors.test.ts'] },
  dates: { files: ['src/space/model/dates.ts'], tests: ['test/space/dates.test.ts'] },
  reach: {
    files: ['src/space/model/space.ts', 'src/space/model/access-link.ts'],
    tests: ['test/tools/reach.test.ts', 'test/http/leaks.law.test.ts'],
  },
  limits: {
    files: ['src/call/rate-limiter.ts', 'storage/sqlite/usage.ts'],
    tests: [
      'test/call/rate-limiter.test.ts',
      'test/call/rate-limiter.law.test.ts',
      'test/call/address-rate-limiter.test.ts',
      'test/storage/usage.test.ts',
    ],
  },
  trees: {
    files: ['storage/siblings.ts', 'src/space/editing/move-blocks.ts'],
    tests: [
      'test/tools/blocks/blocks-move.test.ts',
      'test/tools/blocks/blocks-add.test.ts',
      'test/tools/collections/collections.test.ts',
      'test/tools/tasks/tasks-states.test.ts',
    ],
  },
  pattern: {
    // The limits of patterns are tested through their errors.
    files: ['src/regex/*.ts', '!src/regex/pattern-limits.ts'],
    tests: [
      'agreement.law',
      'automaton',
      'engine',
      'errors',
      'folding',
      'literal',
      'meaning',
      'ranges',
      'tree',
      'unicode',
    ].map((name) => `test/regex/${name}.test.ts`),
    environment: { FC_RUNS: '50' },
  },
  ranking: {
    files: ['src/space/search/rank-documents.ts'],
    tests: [
      ...['search', 'search-blocks'].map((name) => `test/tools/search/${name}.test.ts`),
      'test/space/search-relevance/weights.test.ts',
    ],
  },
  filters: {
    files: ['src/space/collections/views/filter-conditions.ts', 'storage/item-query.ts'],
    tests: ['views-run', 'views-run.law', 'views-refused'].map((name) => `test/tools/collections/${name}.test.ts`),
  },
  // One file each, since their tests take seconds for each mutant.
  undo: {
    files: ['src/space/history/undo-calls.ts'],
    tests: [
      ...UNDO_TESTS,
      ...['claims', 'claimed-tasks', 'claim-faults'].map((name) => `test/tools/claims/${name}.test.ts`),
    ],
  },
  undoPlans: { files: ['src/space/history/undo-plan.ts'], tests: UNDO_TESTS },
  proposals: {
    files: ['src/space/proposals/approve-proposal.ts', 'src/space/proposals/rehearse-proposal.ts'],
    tests: [
      ...['proposals', 'deciding', 'approval-checks', 'approvals-near-writes'].map(
        (name) => `test/call/${name}.test.ts`,
      ),
      'test/auth/resource-server/sign-in.test.ts',
    ],
  },
  proposalParts: {
    files: [
      ...['part', 'place-part', 'run-parts', 'split-proposal'].map((name) => `src/space/proposals/parts/${name}.ts`),
      ...['src/space/proposals/remaining-parts.ts', 'src/space/proposals/decidable.ts'],
    ],
    tests: ['test/call/proposal-parts.test.ts', 'test/call/proposal-parts.law.test.ts'],
  },
  collections: {
    files: ['src/space/collections/schema/plan-schema.ts', 'src/space/collections/write-schema.ts'],
    tests: [
      ...['schema', 'schema-merging', 'collections', 'items', 'items-refused', 'items-relations', 'ratings'],
      ...['dependencies', 'hidden-relations', 'key-spelling'],
    ].map((name) => `test/tools/collections/${name}.test.ts`),
  },
  page: {
    // What decides, without what writes HTML.
    files: ['src/page/assets/sync/undo-target.ts', 'src/page/collections/convert-values.ts'],
    tests: ['undo-target', 'convert-values'].map((name) => `test/page/${name}.test.ts`),
  },
  migrations: {
    files: ['storage/sqlite/migrations.ts'],
    tests: ['migrations', 'schemas', 'open'].map((name) => `test/storage/${name}.test.ts`),
  },
}

/** A single function, to show that the mechanism works. All files together take hours. */
const FEW: Target = { files: ['src/space/model/cursors.ts:27-55'], tests: ['test/space/cursors.test.ts'] }

async function run(context: ProofContext): Promise<ProofResult> {
  const targets = targetsOf(context)
  const figures: ProofResult['figures'] = {}
  const faults: string[] = []
  for (const [name, target] of Object.entries(targets)) {
    const started = performance.now()
    const mutated = await mutate(context, target)
    const minutes = ((performance.now() - started) / 60_000).toFixed(1)
    Object.assign(figures, figuresOf(name, mutated))
    faults.push(...faultsOf(name, mutated))
    context.log(`${name}: ${mutated.score.toFixed(1)} % of ${mutated.mutants}, in ${minutes} minutes`)
  }
  return { figures, faults }
}

function targetsOf({ length, seed }: ProofContext): Record<string, Target> {
  if (length === 'long') return chosen()
  if (process.env.MUTANTS === undefined) return { cursors: FEW }
  const sampled = ([name, target]: [string, Target]) => [name, { ...target, files: sampleLines(target.files, seed) }]
  return Object.fromEntries(Object.entries(chosen()).map(sampled))
}

/** All groups, or only those named in MUTANTS: `MUTANTS=dates,trees`. */
function chosen(): Record<string, Target> {
  const names = process.env.MUTANTS?.split(',') ?? Object.keys(TARGETS)
  return Object.fromEntries(
    names.map((name) => {
      const target = TARGETS[name]
      if (target === undefined) throw new Error(`Expected groups (${Object.keys(TARGETS).join(', ')}), found ${name}.`)
      return [name, target]
    }),
  )
}

/** Runs tests that have nothing to do with the file, in place of its own. */
async function control(context: ProofContext): Promise<ProofResult> {
  const mutated = await mutate(context, { ...FEW, tests: ['test/space/colors.test.ts'] })
  return { figures: figuresOf('cursors', mutated), faults: faultsOf('cursors', mutated) }
}

const figuresOf = (name: string, { mutants, score, left }: Mutated): ProofResult['figures'] => ({
  [`mutants of ${name}`]: mutants,
  [`left out of ${name}`]: left,
  [`% of ${name} noticed`]: score.toFixed(1),
})

function faultsOf(name: string, { score, survivors }: Mutated): string[] {
  if (score >= SCORE) return []
  return [
    `Expected ${SCORE} % of the mutants of ${name} to be noticed, found ${score.toFixed(1)} %; the first of the others: ` +
      `${survivors.slice(0, 5).join('; ')}.`,
  ]
}

export const proof: Proof = {
  promise: 'The tests of what matters most notice when it is changed.',
  runsInParallel: true,
  run,
  control,
}
