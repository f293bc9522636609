import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { MAX_FIELD_ERRORS } from '../../src/base/limits.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { parseInChunks } from '../../src/call/input/parse-input.ts'
import { invalidInput } from '../../src/call/input/validation-errors.ts'
import { endpoints } from '../../tools/index.ts'
import { runs } from '../support/runs.ts'

type Issue = z.core.$ZodIssue

/** Keeps only the issues that are reported, and as many of each alternative. */
const shownIssues = (issues: readonly Issue[]): Issue[] =>
  issues.slice(0, MAX_FIELD_ERRORS + 1).map((issue) => {
    return issue.code === 'invalid_union' ? ({ ...issue, errors: issue.errors.map(shownIssues) } as Issue) : issue
  })

const whole = (schema: z.ZodType, value: unknown) => {
  const { success, data, error } = schema.safeParse(value, { reportInput: true })
  return success ? { value: data } : { issues: error.issues }
}

/** Includes rules over lists, nested lists, lists of several types in one place, and values that are transformed. */
const shape = z
  .strictObject({
    ids: z
      .array(
        z
          .string()
          .min(1)
          .transform((id) => id.toLowerCase()),
      )
      .max(250)
      .optional(),
    either: z
      .union([z.array(z.int()), z.array(z.strictObject({ a: z.int(), more: z.array(z.int()).optional() }))])
      .optional(),
    get inner() {
      return z.array(shape).min(1).optional()
    },
    rows: z.array(z.array(z.string()).refine((row) => row.length < 120, 'Too many cells.')).optional(),
    last: z.int(),
  })
  .transform(({ last, ...others }, { addIssue }) => {
    if (last === 13) addIssue({ code: 'custom', message: 'Not that number.', input: last })
    return { ...others, first: last }
  }) as z.ZodType

const many = <Value>(one: fc.Arbitrary<Value>, most: number) =>
  fc
    .tuple(fc.array(one, { maxLength: 4 }), fc.nat(most))
    .map(([some, times]) => Array.from({ length: times }, () => some).flat())

/** Returns one bad value among many good ones. */
const mostly = (good: unknown, ...bad: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 60, arbitrary: fc.constant(good) }, fc.constantFrom(...bad))

const { shapes } = fc.letrec((tie) => ({
  shapes: fc.record(
    {
      ids: many(mostly('Id', '', 5), 80),
      either: fc.oneof(
        many(mostly(1, 'x', 0.5), 80),
        many(fc.record({ a: mostly(1, '1'), more: many(mostly(1, []), 80) }), 10),
      ),
      inner: many(tie('shapes'), 2).filter((inner) => inner.length > 0),
      rows: many(many(mostly('a', 5), 32), 3),
      last: mostly(1, 13, 'x'),
    },
    { requiredKeys: ['last'] },
  ),
}))

const good = [
  { type: 'text', markdown: 'x' },
  { type: 'page', title: { value: 'x', attributes: [{ type: 'bold', start: 0, end: 1 }] } },
  {
    type: 'text',
    markdown: '- [ ] x',
    decorations: ['quote'],
    taskInfo: { state: 'todo', scheduleDate: '2026-11-20' },
  },
  { type: 'line', color: null },
]
const bad = [
  { type: 'txt' },
  { type: 'text', markdwn: 'x', color: 5 },
  'text',
  { type: 'text', decorations: ['x'], size: 'x' },
]

const leaf = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom<unknown>(...good) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(...bad) },
)
const page = fc.record({ type: fc.constant('page'), title: fc.constant('p'), content: many(leaf, 40) })
const pages = fc.record({ type: fc.constant('page'), title: fc.constant('p'), content: many(fc.oneof(leaf, page), 8) })
const someBlocks = many(fc.oneof({ weight: 5, arbitrary: leaf }, page, pages), 20)

const RUNS = runs(20, 200)
/** There must be more cases of each kind than this. Few runs may have none. */
const SOME = RUNS < 200 ? -1 : 20

describe('parsing in chunks gives the same result as parsing at once', () => {
  test('the value, or the errors in order', async () => {
    let [long, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(shapes, async (value) => {
        const checked = await parseInChunks(shape, value)
        const expected = whole(shape, value)
        expect(checked.value).toEqual(expected.value)
        // Rules over a whole array or object are skipped once an entry has failed.
        const left = shownIssues(expected.issues ?? []).map((issue) => JSON.stringify(issue))
        for (const issue of shownIssues(checked.issues ?? [])) expect(left).toContain(JSON.stringify(issue))
        expect(checked.issues === undefined).toBe(expected.issues === undefined)
        if (JSON.stringify(value).length > 1000) long += 1
        if (checked.issues !== undefined) refused += 1
      }),
      { numRuns: RUNS },
    )
    expect(Math.min(long, refused, RUNS - refused)).toBeGreaterThan(SOME)
  })

  test('for blocks_add, with the words of the error', async () => {
    const { input, schema } = toolCatalogFor(endpoints, 'full').get('blocks_add')
    let [taken, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(someBlocks, fc.constantFrom('end', 'end', 'end', 'ende'), async (blocks, position) => {
        const value = { blocks, position: { position, pageId: 'x' } }
        const checked = await parseInChunks(input, value)
        const expected = whole(input, value)
        if (checked.issues !== undefined && expected.issues !== undefined) {
          refused += 1
          expect(invalidInput(checked.issues, schema).body).toEqual(invalidInput(expected.issues, schema).body)
        } else {
          taken += 1
          expect(checked).toEqual(expected)
        }
      }),
      { numRuns: RUNS },
    )
    expect(Math.min(taken, refused)).toBeGreaterThan(SOME)
  })
})
