import type { BlockType } from '../../src/markdown/block.ts'

/** The examples of the extensions in GitHub's specification (0.29-gfm): the text, the types, and the visible words. Cells beyond a header are words, too. */
export const GFM_EXAMPLES: readonly [section: string, markdown: string, types: readonly BlockType[], words: string][] =
  [
    ['table 198', '| foo | bar |\n| --- | --- |\n| baz | bim |', ['table'], 'foo bar baz bim'],
    ['table 199', '| abc | defghi |\n:-: | -----------:\nbar | baz', ['table'], 'abc defghi bar baz'],
    ['table 200', '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |', ['table'], 'f|oo b | az b | im'],
    ['table 201', '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar', ['table', 'text'], 'abc def bar baz bar'],
    [
      'table 202',
      '| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar',
      ['table', 'text'],
      'abc def bar baz bar bar',
    ],
    ['table 203', '| abc | def |\n| --- |\n| bar |', ['text'], '| abc | def | | --- | | bar |'],
    ['table 204', '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |', ['table'], 'abc def bar bar baz boo'],
    ['table 205', '| abc | def |\n| --- | --- |', ['table'], 'abc def'],
    ['task list 279', '- [ ] foo\n- [x] bar', ['text', 'text'], 'foo bar'],
    [
      'task list 280',
      '- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim',
      ['text', 'text', 'text', 'text'],
      'foo bar baz bim',
    ],
    ['strikethrough 491', '~~Hi~~ Hello, ~there~ world!', ['text'], 'Hi Hello, ~there~ world!'],
    ['strikethrough 492', 'This ~~has a\n\nnew paragraph~~.', ['text', 'text'], 'This ~~has a new paragraph~~.'],
    ['strikethrough 493', 'This will ~~~not~~~ strike.', ['text'], 'This will ~~~not~~~ strike.'],
    ['autolink 622', 'www.commonmark.org', ['text'], 'www.commonmark.org'],
    [
      'autolink 623',
      'Visit www.commonmark.org/help for more information.',
      ['text'],
      'Visit www.commonmark.org/help for more information.',
    ],
    [
      'autolink 624',
      'Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b.',
      ['text', 'text'],
      'Visit www.commonmark.org. Visit www.commonmark.org/a.b.',
    ],
    [
      'autolink 625',
      'www.google.com/search?q=Markup+(business)\n\n(www.google.com/search?q=Markup+(business))',
      ['text', 'text'],
      'www.google.com/search?q=Markup+(business) (www.google.com/search?q=Markup+(business))',
    ],
    ['autolink 626', 'www.google.com/search?q=(business))+ok', ['text'], 'www.google.com/search?q=(business))+ok'],
    ['autolink 627', 'www.google.com/search?q=commonmark&hl=en', ['text'], 'www.google.com/search?q=commonmark&hl=en'],
    ['autolink 628', 'www.commonmark.org/he<lp', ['text'], 'www.commonmark.org/he<lp'],
    [
      'autolink 629',
      'http://commonmark.org\n\n(Visit https://encrypted.google.com/search?q=Markup+(business))',
      ['text', 'text'],
      'http://commonmark.org (Visit https://encrypted.google.com/search?q=Markup+(business))',
    ],
    ['autolink 630', 'foo@bar.baz', ['text'], 'foo@bar.baz'],
    [
      'autolink 631',
      "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
      ['text'],
      "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
    ],
    [
      'autolink 632',
      'a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_',
      ['text', 'text', 'text', 'text'],
      'a.b-c_d@a.b a.b-c_d@a.b. a.b-c_d@a.b- a.b-c_d@a.b_',
    ],
  ]
