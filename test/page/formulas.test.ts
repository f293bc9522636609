/** What a formula may take, whatever its macros do. Each of these texts once took seconds, or all memory. */
import { describe, expect, test } from 'vitest'
import { FORMULA_LENGTH, FORMULA_OUTPUT_LENGTH, FORMULA_TOKENS, FORMULAS_OUTPUT_LENGTH } from '../../src/base/limits.ts'
import { Formulas } from '../../src/page/blocks/formula-html.ts'
import { formulaMathml } from '../../src/page/blocks/formula-mathml.ts'
import { html, joinHtml } from '../../src/page/html.ts'

/** A macro with a long body, which is used often: 2.8 KB become 9.5 MB of MathML. */
const LONG_MACRO = `\\def\\a{${'x'.repeat(1_900)}}${'\\a'.repeat(450)}`

const TOO_MUCH: Readonly<Record<string, string>> = {
  'a macro with a long body': LONG_MACRO,
  'a macro that doubles its argument each time': '\\def\\a#1{\\a{#1#1}}\\a{x}',
  'a macro that repeats its argument a thousand times': `\\def\\a#1{\\a{${'#1'.repeat(1_000)}}}\\a{xxxxxxxx}`,
  'macros that double each other': `${'\\edef\\b{\\b\\b}'.repeat(40)}\\b`.replace('\\b\\b', 'x'),
  'definitions that are expanded first': `\\def\\a{xx}${'\\expandafter\\def\\expandafter\\a\\expandafter{\\a\\a\\a}'.repeat(60)}\\a`,
  'endless recursion': '\\def\\a{\\a}\\a',
  'a long formula': 'x'.repeat(FORMULA_LENGTH + 1),
}

describe('a formula that takes too much is shown as source', () => {
  test.each(Object.entries(TOO_MUCH))('%s', (_, tex) => {
    const left = { tokens: 10 * FORMULA_TOKENS, length: FORMULAS_OUTPUT_LENGTH }
    expect(formulaMathml(tex, true, left) === undefined).toBe(true)
    // The last step counts as a whole before it is refused, and is at most a thousand times what there was before.
    expect(10 * FORMULA_TOKENS - left.tokens).toBeLessThan(FORMULA_LENGTH + 1_001 * FORMULA_TOKENS)
  })
})

test.each([
  ['a long sum', 'a_1 + '.repeat(600)],
  ['a table', `\\begin{array}{cc}${'a & b \\\\ '.repeat(300)}\\end{array}`],
  ['macros of its own', '\\newcommand{\\size}[1]{\\lVert #1 \\rVert} \\size{x + \\size{y}} \\le \\size{z}'],
  ['many spaces', '\\, x'.repeat(160)],
])('%s is rendered within the limits', (_, tex) => {
  const left = { tokens: FORMULA_TOKENS, length: FORMULA_OUTPUT_LENGTH }
  expect(formulaMathml(tex, true, left)).toMatch(/^<math/)
  expect(left.tokens).toBeGreaterThan(0)
})

test('the formulas of a page share limits; those beyond them are shown as source', async () => {
  const formulas = new Formulas()
  const tex = `\\begin{matrix}${'&'.repeat(1_500)}\\end{matrix}`
  const write = (count: number) =>
    joinHtml(Array.from({ length: count }, () => html`<p>${formulas.html(tex, true)}</p>`))
  const parts = [...(await formulas.fill([write(20), write(20)])), ...(await formulas.fill([write(20)]))].map(String)
  const shown = parts.map((part) => [part.split('<math').length - 1, part.split('<pre><code>').length - 1])
  const each = formulaMathml(tex, true, { tokens: FORMULA_TOKENS, length: FORMULA_OUTPUT_LENGTH })?.length ?? 0
  const rendered = Math.floor(FORMULAS_OUTPUT_LENGTH / each)
  expect(rendered).toBeGreaterThan(40)
  expect(shown).toEqual([
    [20, 0],
    [20, 0],
    [rendered - 40, 60 - rendered],
  ])
})

test('forty formulas with long macros leave a page readable', async () => {
  const formulas = new Formulas()
  const [part] = await formulas.fill([joinHtml(Array.from({ length: 40 }, () => formulas.html(LONG_MACRO, true)))])
  expect(String(part)).toBe(String(html`<pre><code>${LONG_MACRO}</code></pre>`).repeat(40))
})

test('what a text says does not stand for a formula', async () => {
  const formulas = new Formulas()
  const part = html`<p>${'<code data-formula="0">a</code>'}${formulas.html('x', false)}</p>`
  expect(String((await formulas.fill([part]))[0])).toMatch(/^<p>&lt;code data-formula=&quot;0&quot;&gt;.*<math>/)
})

test('a formula has its source beside it, for those who copy it', () => {
  const left = { tokens: FORMULA_TOKENS, length: FORMULA_OUTPUT_LENGTH }
  const mathml = formulaMathml('\\text{a style="b" <i>}', false, left)
  expect(mathml).toContain(
    '<annotation encoding="application/x-tex">\\text{a style=&quot;b&quot; &lt;i&gt;}</annotation></semantics></math>',
  )
})
