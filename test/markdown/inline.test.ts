import { describe, expect, test } from 'vitest'
import { definitionKey, normalizeText, plainText } from '../../src/markdown/inline-text.ts'

/** A text, and its normal form if that differs. Each normal form must be a fixed point. */
function same(text: string, normal = text): void {
  expect(normalizeText(text)).toBe(normal)
  expect(normalizeText(normal)).toBe(normal)
}

const definitions = new Map([
  [definitionKey('ref'), { url: 'https://ref.example', title: 'Ref' }],
  [definitionKey('other ref'), { url: 'u v' }],
])

describe('marks', () => {
  test.each([
    ['_i_ *i*', '*i* *i*'],
    ['__b__ **b**', '**b** **b**'],
    ['~~s~~', '~~s~~'],
    ['***both***', '***both***'],
    ['*a **b** c*', '*a **b** c*'],
    ['**a *b***', '**a *b***'],
    ['**a __b__ c**', '**a b c**'],
    ['*a*_b_', '*ab*'],
    ['*&#32;a&nbsp;*', '&#32;*a*\u00a0'],
  ])('should write %s as %s', same)

  test.each(['2 * 3 * 4', 'snake_case_name', '5* hotel', 'a ~ b', 'a~~', '~~~a~~~', '** a **', 'a_b_ c', 'a == b'])(
    'should not escape anything in %s',
    (text) => same(text),
  )

  test.each([
    ['\\*a\\*', '\\*a*'],
    ['\\_a\\_', '\\_a_'],
    ['\\~~a\\~~', '\\~\\~a~~'],
    ['\\==a==', '\\=\\=a=='],
    ['**a**\\*', '**a**\\*'],
    ['\\***a**', '\\***a**'],
  ])('should keep the characters that prevent a mark in %s', same)

  test('should separate what * cannot express alone', () => {
    same('**a.**_b_')
    same('**a.**_b_ and *c*')
  })
})

describe('highlights and comments', () => {
  test.each([
    ['==x==', '==x=='],
    ['a ==**x**== b==y==', 'a ==**x**== b==y=='],
    ['x ==a== ===b', 'x ==a== ===b'],
    ['<highlight>x</highlight>', '<highlight color="yellow">x</highlight>'],
    ["<highlight  color = 'red' >x</highlight >", '<highlight color="red">x</highlight>'],
    ['<highlight color=gradient-blue>**x**</highlight>', '<highlight color="gradient-blue">**x**</highlight>'],
    ['==a <highlight>b</highlight>==', '==a b=='],
    ['a<highlight></highlight>b', 'ab'],
    ['<comment id=c1>x</comment>', '<comment id="c1">x</comment>'],
    ['<comment id="a&quot;&amp;b">x</comment>', '<comment id="a&#34;&#38;b">x</comment>'],
    ['**<highlight color="red">a**</highlight>', '\\*\\*<highlight color="red">a**</highlight>'],
  ])('should write %s as %s', same)

  test.each(['===a===', '<highlights>', '\\<highlight>', '`<highlight>`', '$a<highlight>$', '<highlight/>'])(
    'should not find a highlight in %s',
    (text) => expect(normalizeText(text)).not.toContain('color'),
  )

  test.each([
    [
      '<highlight color="orange">x</highlight>',
      'Expected a highlight color, one of yellow, green, mint, cyan, blue, purple, pink, red, gray, gradient-blue, gradient-purple, gradient-red, gradient-yellow, gradient-brown, found "orange"; use one of them, or leave color out for yellow.',
    ],
    [
      '<highlight style="x">x</highlight>',
      'Expected no attribute but color in <highlight style="x">, found style; leave style out.',
    ],
    [
      'a <highlight color="red">x',
      'Expected </highlight> after <highlight color="red">, found the end of the text first; close the tag before, or write \\<highlight> for the characters themselves.',
    ],
    [
      'a</comment>',
      'Expected <comment> before </comment>, found none; open it in the same block, or write \\</comment> for the characters themselves.',
    ],
    [
      '<highlight>a<comment id="1">b</highlight>c</comment>',
      'Expected </comment> after <comment id="1">, found </highlight> first; close the tag before, or write \\<comment> for the characters themselves.',
    ],
    [
      '[a <highlight>b](u) c</highlight>',
      'Expected </highlight> after <highlight>, found the edge of a link first; close the tag before, or write \\<highlight> for the characters themselves.',
    ],
    [
      '[a <highlight>b](u) [c</highlight>](u)',
      'Expected </highlight> after <highlight>, found the edge of a link first; close the tag before, or write \\<highlight> for the characters themselves.',
    ],
    [
      '<comment>x</comment>',
      'Expected the ID of a comment in <comment>, found none; write <comment id="…"> with an ID that a read returned, or comments_add.',
    ],
  ])('should reject %s', (text, message) => {
    expect(() => normalizeText(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', message }))
  })
})

describe('code and formulas', () => {
  test.each([
    ['`a`', '`a`'],
    ['``` a`b ```', '``a`b``'],
    ['`` `a` ``', '`` `a` ``'],
    ['`a\nb`', '`a b`'],
    ['`  a `', '` a`'],
    ['` `', '` `'],
    ['a \\`b', 'a `b'],
    ['\\`a`', '\\`a`'],
    ['$x^2_i*y*$', '$x^2_i*y*$'],
    ['$$x$$', '$$x$$'],
    ['$a\\$b$', '$a\\$b$'],
    ['$a\nb$', '$a b$'],
    ['\\$a$', '\\$a$'],
    ['$a$&#53;', '$$a$$5'],
  ])('should write %s as %s', same)

  test.each(['$5', '$5 and $10', 'US$ 5, CA$ 6', 'a `b', '$ a $', 'costs 5$'])(
    'should not escape anything in %s',
    (text) => same(text),
  )
})

describe('links and images', () => {
  test.each([
    ['[a](<u>)', '[a](u)'],
    ["[a]( u 't' )", '[a](u "t")'],
    ['[a](u (t"t))', '[a](u "t\\"t")'],
    ['[a](<u v>)', '[a](<u v>)'],
    ['[a](u\\))', '[a](<u)>)'],
    ['[a](u(v))', '[a](u(v))'],
    ['[a](<>)', '[a]()'],
    ['[a](<> "t")', '[a](<> "t")'],
    ['[a](u?a=1&amp;b=2)', '[a](u?a=1&b=2)'],
    ['[a](u?&amp;copy;)', '[a](u?\\&copy;)'],
    ['[a](C:\\dir\\*)', '[a](C:\\dir*)'],
    ['[](u)', '[](u)'],
    ['[a [b] c](u)', '[a [b] c](u)'],
    ['[a \\] c](u)', '[a \\] c](u)'],
    ['[a [b](u) c](v)', '[a [b](u) c\\](v)'],
    ['![a *b*](u "t")', '![a b](u "t")'],
    ['[![a](u)](v)', '[![a](u)](v)'],
    ['\\![a](u)', '\\![a](u)'],
    ['<https://x.example/a_b*c*>', '<https://x.example/a_b*c*>'],
    ['https://x.example/a_b_c?d=1&e=2#f', 'https://x.example/a_b_c?d=1&e=2#f'],
    ['[t](block://1) [d](date://2026-01-01)', '[t](block://1) [d](date://2026-01-01)'],
    ['\\[a](u)', '[a\\](u)'],
  ])('should write %s as %s', same)

  test.each([
    ['[text][ref]', '[text](https://ref.example "Ref")'],
    ['[REF][] [Ref]', '[REF](https://ref.example "Ref") [Ref](https://ref.example "Ref")'],
    ['[Other\n ref]', '[Other\nref](<u v>)'],
    ['![alt][ref]', '![alt](https://ref.example "Ref")'],
    ['[a][none] [none]', '[a][none] [none]'],
  ])('should resolve %s', (text, normal) => expect(normalizeText(text, definitions)).toBe(normal))

  test.each(['[1] and [a, b)', '[ ] [x]', 'f(x)[0]', 'a]b', '!', 'a[b'])('should not escape anything in %s', (text) =>
    same(text),
  )
})

describe('characters', () => {
  test.each([
    ['&amp; &copy; &#35; &ouml;', '& © # ö'],
    ['&amp;copy; \\&copy;', '\\&copy; \\&copy;'],
    ['AT&T &none; &', 'AT&T &none; &'],
    ['a  \nb', 'a\\\nb'],
    ['a\\\n  b', 'a\\\nb'],
    ['a \r\n b\rc', 'a\nb\nc'],
    ['  a\n', 'a'],
    ['a\\', 'a\\\\'],
    ['C:\\dir \\. \\a', 'C:\\dir . \\a'],
    ['&#32;a&#9;', '&#32;a&#9;'],
    ['a&#10;b', 'a b'],
    ['\\# a', '# a'],
    ['\\- a', '- a'],
  ])('should write %j as %j', same)

  test.each([
    ['<b>x</b>', '\\<b>x\\</b>'],
    ['<page>x</page>', '\\<page>x\\</page>'],
    ['<? x ?>', '\\<? x ?>'],
    ['<kbd onclick="x">', '\\<kbd onclick="x">'],
    ['<a href="javascript:x">y</a>', '\\<a href="javascript:x">y\\</a>'],
    ['&lt;br&gt;', '\\<br>'],
    ['\\<https://x>', '\\<https://x>'],
  ])('should write %s as %s, as text and not as a tag', same)

  test.each(['1 < 2', 'a<b', 'a <b, c>', '<3 >', 'x <- y', '<', '->', '<page'])(
    'should not escape anything in %s',
    (text) => same(text),
  )
})

test('should return plain text as the same string', () => {
  same('Plain words, and (some) marks: nothing! to? do.')
  same('Two lines\nof words.')
})

describe('plainText', () => {
  test.each([
    ['a **b** [c `d`](u) ![e](v) $f$ <https://g>', 'a b c d e f https://g'],
    ['<comment id="1">a</comment> ==b== &amp; \\*', 'a b & *'],
    ['a\\\nb\nc', 'a\nb\nc'],
    ['plain', 'plain'],
  ])('should show of %s the characters %s', (text, plain) => expect(plainText(text)).toBe(plain))
})

test('definitionKey should ignore case and white space', () => {
  expect(definitionKey(' Foo\n  ẞar ')).toBe(definitionKey('foo ssar'))
  expect(definitionKey('foo')).not.toBe(definitionKey('fo o'))
})
