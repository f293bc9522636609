import { describe, expect, test } from 'vitest'
import { PairCount } from '../../src/difference/pair-count.ts'
import { limitsOfDiff, parseUnifiedDiff } from '../../src/difference/read-diff.ts'
import { type DetailLine, moreChanges, writeUnifiedDiff } from '../../src/difference/unified-diff.ts'

const diff = (before: string, after: string, { title = 'Plan', pairs = 1_000_000 } = {}): string =>
  writeUnifiedDiff({ title, before, after }, new PairCount(pairs))

const numbered = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n')

describe('a unified diff', () => {
  test('shows changes with the lines around them', () => {
    const before = numbered(30)
    const after = before.replace('line 5\n', 'line five\n').replace('line 20\n', '').replace('line 22', 'line 22\nnew')
    expect(diff(before, after)).toBe(`--- Plan\tbefore
+++ Plan\tafter
@@ -2,9 +2,9 @@
 line 1
 line 2
 line 3
 line 4
-line 5
+line five
 line 6
 line 7
 line 8
 line 9
@@ -17,11 +17,11 @@
 line 16
 line 17
 line 18
 line 19
-line 20
 line 21
 line 22
+new
 line 23
 line 24
 line 25
 line 26`)
  })

  test('shows documents that are new, and those that were deleted', () => {
    expect(diff('', 'one\ntwo\n')).toBe('--- Plan\tbefore\n+++ Plan\tafter\n@@ -0,0 +1,2 @@\n+one\n+two')
    expect(diff('one\n', '')).toBe('--- Plan\tbefore\n+++ Plan\tafter\n@@ -1,1 +0,0 @@\n-one')
  })

  test('says that a text is the same, whatever the title', () => {
    expect(diff('one\n', 'one')).toBe('"Plan": the text is the same.')
    expect(diff('one', 'one', { title: '+ "a"' })).toBe(String.raw`"+ \"a\"": the text is the same.`)
  })

  test('keeps the letters of a title', () => {
    expect(diff('a', 'b', { title: 'Übersicht' })).toMatch(/^--- Übersicht\tbefore\n\+\+\+ Übersicht\tafter\n/)
  })

  test('has details below the text, also where the text is the same', () => {
    const details: DetailLine[] = [
      { sign: '-', text: '"Dig" (1): deadline date: 2026-12-01' },
      { sign: '+', text: '"Dig" (1): deadline date: 2026-12-24' },
    ]
    const write = (before: string, after: string) =>
      writeUnifiedDiff({ title: 'Plan', before, after, details }, new PairCount(1_000))
    const shown = ['@@ -1,1 +1,1 @@ details', ...details.map(({ sign, text }) => sign + text)]
    expect(write('a', 'a').split('\n')).toEqual(['--- Plan\tbefore', '+++ Plan\tafter', ...shown])
    expect(write('a', 'b').split('\n').slice(2)).toEqual(['@@ -1,1 +1,1 @@', '-a', '+b', ...shown])
    expect(parseUnifiedDiff(write('a', 'b'))[0]?.hunks.map(({ kind }) => kind)).toEqual(['text', 'details'])
  })

  test('names the fence of code where a hunk begins within it', () => {
    const code = (fence: string, text: string) => `${fence}sh\n${numbered(9)}\n${text}\n${fence}\nend`
    expect(diff(code('````', 'a'), code('````', 'b'))).toContain('\n@@ -7,7 +7,7 @@ ````\n')
    expect(diff(numbered(20), `\`\`\`\n${numbered(20).replace('19', 'x')}`)).toContain('\n@@ -16,5 +17,5 @@ - ```\n')
  })
})

describe('beyond the pairs that may be compared', () => {
  const before = `same\n${numbered(40, 'old')}\nlast`
  const after = `same\n${numbered(40, 'new')}\nlast`

  test('the changed part is shown whole, and a sentence says so', () => {
    const shown = diff(before, after, { pairs: 1_000 })
    const lines = shown.split('\n')
    expect(lines[2]).toBe('@@ -1,42 +1,42 @@')
    expect(lines.slice(3)).toEqual([
      ' same',
      ...numbered(40, '-old').split('\n'),
      ...numbered(40, '+new').split('\n'),
      ' last',
      'Too much of this document changed to compare it line by line: the changed part is shown whole.',
    ])
    expect(limitsOfDiff(shown)).toEqual({ isDiffComplete: true, isDiffCoarse: true })
  })

  test('no pair is compared', () => {
    const pairs = new PairCount(1_000)
    writeUnifiedDiff({ title: 'Plan', before, after }, pairs)
    expect([pairs.left, pairs.isReached]).toEqual([0, true])
    writeUnifiedDiff({ title: 'Plan', before: 'a', after: 'b' }, pairs)
    expect(pairs.left).toBe(0)
  })

  test('not a single line is left out', () => {
    expect(diff('a\nb\na\nb', 'b\na\nb\na\nb', { pairs: 0 }).split('\n').slice(2, -1)).toEqual([
      '@@ -1,4 +1,5 @@',
      '+b',
      ' a',
      ' b',
      ' a',
      ' b',
    ])
  })
})

describe('a diff that is read', () => {
  const read = (text: string) =>
    parseUnifiedDiff(text).map(({ title, notes, hunks }) => [
      title,
      notes,
      hunks.map(({ lines }) => lines.map(({ sign, text }) => sign + text)),
    ])

  test('has its documents, hunks and sentences', () => {
    const text = [diff('a\nb', 'a\nc'), diff('a', 'a', { title: '"Two"' }), diff('', 'x', { title: 'Three' })]
    expect(read([...text, moreChanges(4)].join('\n'))).toEqual([
      ['Plan', [], [[' a', '-b', '+c']]],
      ['"Two"', ['The text is the same.'], []],
      ['Three', [], [['+x']]],
      ['', ['And 4 more changes.'], []],
    ])
  })

  test('takes no line of a document for a header or a sentence', () => {
    const before = '-- Other\tbefore\nx'
    const after = '++ Other\tafter\n@@ -1,1 +1,1 @@\nAnd 3 more lines.\nAnd 2 more documents.'
    const text = diff(before, after)
    expect(read(text)).toEqual([
      [
        'Plan',
        [],
        [
          [
            '--- Other\tbefore',
            '-x',
            '+++ Other\tafter',
            '+@@ -1,1 +1,1 @@',
            '+And 3 more lines.',
            '+And 2 more documents.',
          ],
        ],
      ],
    ])
    expect(limitsOfDiff(text)).toEqual({ isDiffComplete: true })
    const hostile = { title: 'x": not compared, since ' }
    expect(limitsOfDiff(diff('a', 'a', hostile))).toEqual({ isDiffComplete: true })
  })

  test('is incomplete if lines or documents are left out', () => {
    const sentences = [
      'And 1 more lines.',
      'And 2 more documents.',
      moreChanges(2),
      'Only the first 20000 blocks are compared.',
      '"Plan": not compared, since the changed documents are too long together. Read it with blocks_get and at.',
    ]
    for (const one of sentences) {
      expect(limitsOfDiff(`${diff('a', 'b')}\n${one}`), one).toEqual({ isDiffComplete: false })
    }
  })

  test('may be of an earlier version', () => {
    const stored = `===================================================================
--- Plan\tbefore
+++ Plan\tafter
@@ -1,1 +1,9 @@
-a
\\ No newline at end of file
+b
And 8 more lines.
Notes: the text differs too much to compare; read it with blocks_get and at.`
    expect(read(stored)).toEqual([
      ['Plan', [], [['-a', '+b']]],
      ['', ['And 8 more lines.'], []],
      ['', ['Notes: the text differs too much to compare; read it with blocks_get and at.'], []],
    ])
    expect(limitsOfDiff(stored)).toEqual({ isDiffComplete: false })
  })

  test('knows which lines are code, before and after', () => {
    const before = `- \`\`\`sh\n  a\n  \`\`\`\n<content>\n${numbered(9)}\n\`\`\`\`\n\`\`\`\n<content>\n\`\`\`\`\nend`
    const after = before.replace('line 8\n', '').replace('  a', '  b')
    const fences = parseUnifiedDiff(diff(before, after)).flatMap(({ hunks }) =>
      hunks.map(({ lines }) => lines.map(({ sign, text, fences: [old, now] }) => [sign + text, old, now])),
    )
    expect(fences).toEqual([
      [
        [' - ```sh', '', ''],
        ['-  a', '```', '```'],
        ['+  b', '```', '```'],
        ['   ```', '```', '```'],
        [' <content>', '', ''],
        [' line 0', '', ''],
        [' line 1', '', ''],
      ],
      [
        ...[4, 5, 6, 7].map((number) => [` line ${number}`, '', '']),
        ['-line 8', '', ''],
        [' ````', '', ''],
        [' ```', '````', '````'],
        [' <content>', '````', '````'],
        [' ````', '````', '````'],
      ],
    ])
  })
})
