/** Graphs of Logseq. */
import { describe, expect, test } from 'vitest'
import { logseqFormat } from '../../../src/import/logseq/logseq-format.ts'
import { LIST_LEVELS } from '../../../src/markdown/block.ts'
import { png } from '../../picture.ts'
import { type Files, imported, problemLines, sourceOf } from '../importing.ts'

const ID = '634fae2e-edab-42e0-8385-59df3fc3da0e'
const PICTURE = png(3, 2)

const graph = (files: Files) => imported({ 'logseq/config.edn': '{}', ...files }, logseqFormat)
const page = async (text: string, more: Files = {}) => {
  const run = await graph({ 'pages/Page.md': text, ...more })
  return { ...run, text: await run.read('Page'), problems: problemLines(run.report) }
}
/** Block addresses differ between runs. */
const plain = (text: string) => text.replace(/block:\/\/\d+/g, 'block')

describe('a graph', () => {
  test('is detected by its settings', async () => {
    expect(await logseqFormat.detects(sourceOf({ 'logseq/config.edn': '' }))).toBe('it has the settings of a graph')
    expect(await logseqFormat.detects(sourceOf({ 'graph/logseq/config.edn': '' }))).toBeTruthy()
    expect(await logseqFormat.detects(sourceOf({ 'pages/a.md': '' }))).toBeUndefined()
  })

  test('has pages in folders by their names, and journals as daily notes', async () => {
    const files = {
      'journals/2026_11_20.md': '- see [[Proj/Sub]] and [[proj/sub]]\n- [[PS]]',
      'pages/Proj___Sub.md': 'alias:: PS\n\n- back to [[Nov 20th, 2026]], [[Nov 21st, 2026]], [[Nobody]]',
      'pages/Area%2FInner.md': '- x',
      'pages/file.md': 'title:: Other/Name\n\n- y',
    }
    const { call, read, again, report } = await graph(files)
    const { items } = await call('documents_list')
    const folders = (await call('folders_list')).items as { name: string; documentCount: number }[]
    expect(items.map(({ title }: { title: string }) => title).sort()).toEqual([
      'Friday, November 20, 2026',
      'Inner',
      'Name',
      'Sub',
    ])
    expect(folders.filter(({ name }) => ['Proj', 'Area', 'Other'].includes(name))).toHaveLength(3)
    expect(items.find(({ title }: { title: string }) => title.startsWith('Friday'))).toMatchObject({
      dailyNoteDate: '2026-11-20',
    })
    expect(plain(await read('Friday, November 20, 2026'))).toBe(
      '- see [Proj/Sub](block) and [proj/sub](block)\n- [PS](block)',
    )
    expect(plain(await read('Sub'))).toBe(
      '```yaml\nalias: PS\n```\n\n- back to [Nov 20th, 2026](block), [Nov 21st, 2026](date://2026-11-21), [[Nobody]]',
    )
    expect(problemLines(report)).toEqual([
      'pages/Proj___Sub.md:3 not found: A link to a note or file that is not there is kept as text.',
    ])
    expect((await again({ 'logseq/config.edn': '{}', ...files })).counts).toMatchObject({ unchanged: 4, updated: 0 })
  })

  test('keeps pages whose names have signs that links and paths give a meaning', async () => {
    const { read } = await graph({
      'pages/C#.md': '- one [[.net]]',
      'pages/.net.md': '- two [[C#]] [[a^b]]',
      'pages/a^b.md': '- three',
      'pages/___.md': '- four',
    })
    expect(plain(await read('C#'))).toBe('- one [.net](block)')
    expect(plain(await read('.net'))).toBe('- two [C#](block) [a^b](block)')
    expect(await read('___')).toBe('- four')
  })

  test('has a format of journals in its settings, and a folder of its own', async () => {
    const { read } = await imported(
      {
        'g/logseq/config.edn':
          '{:journal/page-title-format "dd.MM.yyyy"\n :journal/file-name-format "yyyyMMdd"\n ;; :x "y"\n}',
        'g/logseq/bak/a.md': '- old',
        'g/journals/20261120.md': '- day',
        'g/pages/A.md': '- [[20.11.2026]] ![](../assets/dot.png){:height 2}',
        'g/assets/dot.png': PICTURE,
      },
      logseqFormat,
    )
    expect(plain(await read('A'))).toMatch(/^- \[20\.11\.2026\]\(block\)\n\n {2}!\[\]\(\S+\)$/)
    expect(await read('Friday, November 20, 2026')).toBe('- day')
  })
})

test('a page in Org mode is a text with its name, and the folder of the program is left out', async () => {
  const { read, report, call } = await graph({
    'pages/Proj___Org.org': '* TODO one',
    'pages/A.md': '- [[Proj/Org]]',
    'logseq/bak/pages/A/1.md': '- old',
    'assets/t.csv': 'a,b',
  })
  expect(await read('Org')).toBe('\\* TODO one')
  expect(plain(await read('A'))).toBe('- [Proj/Org](block)')
  expect((await call('documents_list')).items).toHaveLength(3)
  expect(problemLines(report)).toEqual([
    expect.stringMatching(/^assets\/t\.csv changed: No note shows it/),
    'pages/Proj___Org.org changed: Its markup is kept as text, since this language is not read.',
  ])
})

test('the text that a page was translated to is not kept for exports', async () => {
  const plan = await logseqFormat.plan(sourceOf({ 'logseq/config.edn': '{}', 'pages/A.md': '- TODO [[A]]' }))
  const converted = await plan.documents[0]?.convert({ idOf: () => 1, newId: () => 2 })
  expect(converted).toMatchObject({ title: 'A' })
  expect(converted).not.toHaveProperty('source')
})

describe('an outline', () => {
  test('keeps its depth, whether it is indented with tabs or spaces', async () => {
    const { text } = await page('- a\n\t- b\n\t\t- c\n\t\t\t- d\n\t\t\t  more of d\n\t\t\t\t- e\n- f\n  - g\n    - h')
    expect(text).toBe('- a\n  - b\n    - c\n      - d\n        more of d\n        - e\n- f\n  - g\n    - h')
  })

  test('deeper than lists can be is reported', async () => {
    const lines = Array.from({ length: LIST_LEVELS + 3 }, (_, depth) => `${'\t'.repeat(depth)}- ${depth}`)
    const { blocks, problems } = await page(lines.join('\n'))
    expect(await blocks('Page')).toHaveLength(LIST_LEVELS + 3)
    expect(problems).toHaveLength(3)
    expect(problems[0]).toBe(
      `pages/Page.md:${LIST_LEVELS + 1} changed: A block below level ${LIST_LEVELS} of the outline is one of that level.`,
    )
  })

  test('has headings, text outside of bullets, and numbered blocks', async () => {
    const { text } = await page(
      '- # Top\n\t- x\n## Section\n\t- inner\n- one\n  logseq.order-list-type:: number\n- two\n  logseq.order-list-type:: number\n  color:: red\n-',
    )
    expect(text).toBe('- # Top\n  - x\n\n## Section\n\n  - inner\n1. one\n1. two\n   color:: red')
  })

  test('has code, quotes and callouts', async () => {
    const { text } = await page(
      '- ```js\n  - x\n    y\n  ```\n\t- #+BEGIN_QUOTE\n\t  said [[Page]]\n\t  more\n\t  #+END_QUOTE\n- text\n  #+BEGIN_NOTE\n  Noted\n  #+END_NOTE\n- #+BEGIN_SRC python\n  print(1)\n  #+END_SRC\n- ``` never closed',
    )
    expect(plain(text)).toBe(
      '- ```js\n  - x\n    y\n  ```\n\n  > - said [Page](block)\n  >   more\n\n- text\n\n  <callout>Noted</callout>\n\n- ```python\n  print(1)\n  ```\n\n- \\`\\`\\` never closed',
    )
  })
})

test('callouts and quotes beside each other stay apart', async () => {
  const { text } = await page(
    '- text\n  #+BEGIN_NOTE\n  One\n  #+END_NOTE\n  #+BEGIN_TIP\n  Two\n  #+END_TIP\n  #+BEGIN_QUOTE\n  Three\n  #+END_QUOTE\n  end',
  )
  expect(text).toBe(
    '- text\n\n  <callout>One</callout>\n\n<callout icon="tip">\n<!-- -->\n\n  Two\n</callout>\n\n<!-- -->\n\n  > Three\n\n  end',
  )
})

describe('tasks', () => {
  test('have their states, dates and repeats', async () => {
    const { blocks, problems } = await page(
      [
        '- TODO write',
        `  id:: ${ID}`,
        '  SCHEDULED: <2026-12-01 Tue>',
        '  DEADLINE: <2026-12-05 Sat .+1w>',
        '- DONE done',
        '  completed:: [[Nov 20th, 2026]]',
        '- DOING doing',
        '  SCHEDULED: <2026-12-01 Tue 10:00 ++2d>',
        '  :LOGBOOK:',
        '  CLOCK: [2026-11-20 Fri 10:00:00]--[2026-11-20 Fri 10:05:00] =>  00:05:00',
        '  :END:',
        '- CANCELED [#A] no',
        '- LATER',
        '- TODOS are words',
      ].join('\n'),
    )
    const task = (markdown: string, taskInfo: object) => ({ markdown, taskInfo })
    expect(await blocks('Page')).toMatchObject([
      task('- [ ] write', {
        ...{ state: 'todo', scheduleDate: '2026-12-01', deadlineDate: '2026-12-05' },
        repeat: { type: 'flexible', frequency: 'weekly' },
      }),
      task('- [x] done\n  completed:: [Nov 20th, 2026](date://2026-11-20)', {
        state: 'done',
        completedAt: '2026-11-20T00:00:00.000Z',
      }),
      task('- [ ] doing', { scheduleDate: '2026-12-01', repeat: { type: 'fixed', frequency: 'daily', interval: 2 } }),
      task('- [-] [#A] no', { state: 'canceled' }),
      task('- [ ] <br>', { state: 'todo' }),
      { markdown: '- TODOS are words' },
    ])
    expect(problems).toEqual([
      'pages/Page.md:7 changed: The state of a task is only that it is open.',
      'pages/Page.md:7 left out: A part of the date of a task is left out.',
      'pages/Page.md:9 left out: A drawer with the times of a block is left out.',
    ])
  })
})

describe('links', () => {
  test('lead to blocks, and embedded blocks and pages are links', async () => {
    const { read, blocks, report } = await graph({
      'pages/A.md': `- TODO **write** [[B]]\n  id:: ${ID}`,
      'pages/B.md': `- ((${ID})) and [words](((${ID}))) and [w]([[A]])\n- {{embed ((${ID}))}}\n- {{embed [[A]]}}\n- ((11111111-edab-42e0-8385-59df3fc3da0e)) ((no id)) #tag #[[A]]\n- \`((${ID}))\` | [[A]]\n- | x | [[A]] |\n  |--|--|\n  | 1 | 2 |`,
    })
    const [task] = (await blocks('A')) as { id: string }[]
    expect(await read('B')).toContain(`- [write B](block://${task?.id}) and [words](block://${task?.id})`)
    expect(plain(await read('B'))).toBe(
      [
        '- [write B](block) and [words](block) and [w](block)\n- [write B](block)\n- [A](block)',
        '- ((11111111-edab-42e0-8385-59df3fc3da0e)) ((no id)) #tag [#A](block)',
        `- \`((${ID}))\` | [A](block)`,
        '',
        '- | x | [A](block) |\n  | --- | --- |\n  | 1 | 2 |',
      ].join('\n'),
    )
    expect(problemLines(report)).toEqual([
      'pages/B.md:2 changed: An embedded note became a link to it.',
      'pages/B.md:3 changed: An embedded note became a link to it.',
      'pages/B.md:4 not found: A link to a block that is not there is kept as text.',
    ])
  })

  test('macros, highlights and percent signs are kept', async () => {
    const { text, problems } = await page(
      '- {{query (todo now)}} ^^lit^^ 100%% of %%it%%\n- {{video https://x.example/v}}\n- prop:: value',
    )
    expect(text).toBe('- {{query (todo now)}} ==lit== 100%% of %%it%%\n- <https://x.example/v>\n- prop:: value')
    expect(problems).toEqual(['pages/Page.md:1 changed: A macro is kept as text.'])
  })
})
