/** Whatever the spelling of a note, an export without IDs gives it back, and a change of one block leaves the others. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imported } from '../import/importing.ts'
import { runs } from '../support/runs.ts'
import { filesOf } from './memory-target.ts'

const word = fc.constantFrom('alpha', 'bravo', 'Größe', '港口', 'x1', 'Ωmega', 'naïve')
/** Words of one line, in one of several spellings. */
const words = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: word },
      ...[(text: string) => `_${text}_`, (text: string) => `*${text}*`, (text: string) => `__${text}__`].map((spell) =>
        word.map(spell),
      ),
      ...[(text: string) => `\`${text}\``, (text: string) => `==${text}==`, (text: string) => `~~${text}~~`].map(
        (spell) => word.map(spell),
      ),
      fc.constantFrom(
        '[[Target]]',
        '[[Target|there]]',
        '[t](Target.md)',
        '[[Target#Goals]]',
        '[[Gone]]',
        '<b>bold</b>',
      ),
      fc.constantFrom(
        '$a^2$',
        'H<sub>2</sub>O',
        '\\*',
        '&copy;',
        'https://example.com/a_b',
        '![[Target]]',
        '#tag',
        '^',
      ),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => `so ${parts.join(' ')}`)

const lines = (least: number, most: number) => fc.array(words, { minLength: least, maxLength: most })
const mark = fc.constantFrom('* ', '- ', '*   ', '-  ')

/** A part of a note that stands between blank lines. */
const part = fc.oneof(
  words,
  lines(2, 3).map((all) => all.join('\n')),
  fc.tuple(words, fc.constantFrom('===', '---')).map(([text, rule]) => `${text}\n${rule}`),
  fc.tuple(fc.constantFrom('# ', '###  ', '##### '), words).map(([sign, text]) => sign + text),
  fc.tuple(mark, lines(1, 4)).map(([sign, all]) => all.map((text) => sign + text).join('\n')),
  fc
    .tuple(mark, words, words, fc.constantFrom('\t', '  ', '    '))
    .map(([sign, one, other, indent]) => `${sign}${one}\n${indent}${sign}${other}`),
  fc.tuple(fc.constantFrom('.', ')'), lines(2, 3)).map(([dot, all]) => all.map((text) => `1${dot} ${text}`).join('\n')),
  fc.tuple(fc.constantFrom('[ ]', '[x]', '[X]'), words).map(([box, text]) => `* ${box} ${text} 📅 2026-12-01`),
  lines(1, 3).map((all) => all.map((text) => `>${text}`).join('\n')),
  fc
    .tuple(fc.constantFrom('note', 'tip', 'WARNING'), fc.constantFrom('', '-', '+'), words, words)
    .map(([kind, fold, title, text]) => `> [!${kind}]${fold} ${title}\n> ${text}`),
  fc.tuple(word, word).map(([one, other]) => `|${one}   | b|\n|:--|--|\n|${other}|  c  |`),
  fc.tuple(fc.constantFrom('~~~', '````'), word).map(([fence, text]) => `${fence}js x="1"\n${text}  \n${fence}`),
  fc.constantFrom('***', '_ _ _', '$$\na+b\n$$', '<!-- aside -->', '%%\naside\n%%', '<div>\nhtml\n</div>', '    code'),
)
const note = fc.record({
  parts: fc.array(part, { minLength: 1, maxLength: 6 }),
  gap: fc.constantFrom('\n\n', '\n\n\n'),
  front: fc.constantFrom('', '---\nb:   1\na: [x,y]\n---\n', '---\ntitle: "T"\n---\n\n'),
  end: fc.constantFrom('', '\n', '\n\n'),
})
const textOf = ({ parts, gap, front, end }: { parts: readonly string[]; gap: string; front: string; end: string }) =>
  front + parts.join(gap) + end

const TARGET = '# Goals\n\nWords.\n'

test('a note that nobody changed', async () => {
  await fc.assert(
    fc.asyncProperty(note, fc.constantFrom('\n', '\r\n'), async (made, eol) => {
      const text = textOf(made).replaceAll('\n', eol)
      const { space } = await imported({ 'A.md': text, 'Target.md': TARGET })
      const files = await filesOf(space)
      expect(files.get('A.md')).toBe(text)
      expect(files.get('Target.md')).toBe(TARGET)
      await space.close()
    }),
    { numRuns: runs(15, 2000) },
  )
})

/** Fields that say what a block says. */
const plain = (blocks: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(blocks, (key, value) => (IDS.has(key) ? undefined : value)).replace(/block:\/\/\d+/g, '#'))
const IDS = new Set(['id', 'clickableLink', 'webLink', 'createdAt', 'modifiedAt', 'lastModifiedAt', 'metadata'])

test('a note of which one block was changed', async () => {
  await fc.assert(
    fc.asyncProperty(note, fc.nat(), async (made, at) => {
      const text = textOf(made)
      const { space, call, idOf } = await imported({ 'A.md': text, 'Target.md': TARGET })
      const { content = [] } = await call('blocks_get', { id: await idOf('A') })
      const texts = content.filter(
        (one: { type: string; markdown: string }) =>
          one.type === 'text' && /so /.test(one.markdown) && !/<(?:callout|comment)/.test(one.markdown),
      )
      const block = texts[at % Math.max(1, texts.length)]
      if (block === undefined) return space.close()
      const erased = block.markdown.replace(/so [\s\S]*$/, 'changed')
      await call('blocks_update', { blocks: [{ id: block.id, markdown: erased }] })
      const written = (await filesOf(space)).get('A.md') ?? ''
      // The parts that the block is not in are all there, in their order.
      let [from, missing] = [0, 0]
      for (const one of made.parts) {
        const found = written.indexOf(one, from)
        if (found < 0) missing++
        else from = found + one.length
      }
      expect(missing).toBeLessThanOrEqual(1)
      const again = await imported({ 'A.md': written, 'Target.md': TARGET })
      const now = await call('blocks_get', { id: await idOf('A') })
      const read = await again.call('blocks_get', { id: await again.idOf('A') })
      expect(plain(read.content)).toEqual(plain(now.content))
      await Promise.all([space.close(), again.space.close()])
    }),
    { numRuns: runs(15, 2000) },
  )
})
