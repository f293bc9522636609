/** Cases of the tools. Each is of a kind that users of other programs have reported. */
import { type Case, faultIn } from './case.ts'

/** Added as Markdown and read again. */
const written = (name: string, markdown: string, has: RegExp[], lacks: RegExp[] = []): Case => ({
  name,
  run: async (tools) => faultIn(await tools.written(markdown), { has, lacks }),
})

const task = (name: string, fields: object, has: RegExp[]): Case => ({
  name,
  run: async ({ call }) => {
    const answer = await call<{ items: unknown[] }>('tasks_add', { tasks: [fields], answer: 'full' }).catch(String)
    return faultIn(typeof answer === 'string' ? answer : JSON.stringify(answer.items[0]), { has })
  },
})

/** A passage that differs only in its characters: it is replaced, or the refusal names the nearest passage. */
const replaced = (name: string, markdown: string, old: string, hint: RegExp): Case => ({
  name: `replace: ${name}`,
  run: async ({ add, call }) => {
    const replace = [{ old, new: 'Z' }]
    const refusal = await call('blocks_update', { pageId: await add(markdown), replace }).then(() => undefined, String)
    return refusal && faultIn(refusal.replace(JSON.stringify(old), ''), { has: [hint] })
  },
})

const found = (name: string, text: string, term: string): Case => ({
  name: `search: ${name}`,
  run: async ({ add, call }) => {
    const id = await add(text)
    const { items } = await call<{ items: { documentId: string }[] }>('documents_search', { include: [term] })
    return items.some(({ documentId }) => documentId.endsWith(id.slice(-12)))
      ? undefined
      : `Expected ${term} to find ${JSON.stringify(text)}, found ${items.length} other documents.`
  },
})

/** The dates of a repeating task, each time that it is done. */
const repeats = (name: string, scheduleDate: string, repeat: object, dates: readonly string[]): Case => ({
  name: `repeat: ${name}`,
  run: async ({ call }) => {
    type Tasks = { items: { id: string; taskInfo: { scheduleDate?: string } }[] }
    const tasks = [{ markdown: 'pay', taskInfo: { scheduleDate }, repeat }]
    const id = (await call<Tasks>('tasks_add', { tasks })).items[0]?.id
    const seen: (string | undefined)[] = []
    for (const _ of dates) {
      const tasksToUpdate = [{ id, taskInfo: { state: 'done' } }]
      // Who has not read a task does not complete it twice within a minute.
      await call('blocks_get', { id })
      seen.push((await call<Tasks>('tasks_update', { tasksToUpdate, answer: 'full' })).items[0]?.taskInfo.scheduleDate)
    }
    return seen.join() === dates.join() ? undefined : `Expected ${dates.join()}, found ${seen.join()}.`
  },
})

export const TOOL_CASES: readonly Case[] = [
  written('a line that begins with a day', '24. Dezember ist Feiertag', [/\b24\b/]),
  written('days with a line between', '31. Dezember: frei\n\n1. Januar: frei', [/\b31\b/, /\b1\b/]),
  written('a day in a bullet', '- 18. september: event', [/\b18\b/]),
  written('a year before a word', '2026. gada 5. maijs', [/\b2026\b/, /\b5\b/]),
  written('a day in a quote', '> 3. Mai', [/\b3\b/]),
  written('a list that begins at 7', 'on:\n\n7. seven\n8. eight', [/^7\. seven/m]),
  written('tasks of a numbered list', '1. [ ] a\n2. [x] b', [/\[ \] a/, /\[x\] b/], [/\\\[/]),
  written('words after a fence', '```toml title="x" {1,3}\na = 1\n```', [/^```toml title="x" \{1,3\}$/m]),
  written('a language that is not in the list', '```dataview\nLIST\n```', [/^```dataview$/m]),
  written('a formula on lines of its own', '$$\na^2\n$$', [/^\$\$\s*a\^2\s*\$\$$/m], [/math_formula/]),
  written('a cell beyond the header', '| a | b |\n| - | - |\n| 1 | 2 | three |', [/three/]),
  written('a line break in a cell', '| a |\n| - |\n| one<br>two |', [/one<br>two/], [/\\<br>/]),
  written('tags of a line', 'H<sub>2</sub>O and <kbd>Ctrl</kbd>', [/H<sub>2<\/sub>O/, /<kbd>Ctrl<\/kbd>/], [/\\</]),
  written('yellow words', 'some ==marked== words', [/==marked==/]),
  written('an empty item after a heading', '# Title\n- ', [/^# Title/m], [/^```/m]),
  written('a comment', 'Intro\n\n<!-- ask legal -->\n\nRest', [/ask legal/]),
  written('an address of a frame', '<iframe src="https://video.example/embed/abc"></iframe>', [/embed\/abc/]),
  written('a sentence with an image', 'before ![chart](c.png) after', [/before !\[chart\]\(c\.png\) after/]),
  {
    name: 'an image in a list item',
    run: async (tools) => faultIn(await tools.written('- see ![chart](c.png)'), { has: [/!\[chart\]\(c\.png\)/] }),
  },
  task('a task that begins with a day', { markdown: '24. Dezember planen' }, [/"markdown":"[^"]*24/]),
  task('a time given for a date', { markdown: 't', taskInfo: { scheduleDate: '2026-11-26T23:30:00Z' } }, [
    /"scheduleDate":"2026-11-27"|Expected/,
  ]),
  {
    name: 'replace: a passage that then begins with a day',
    run: async ({ add, call, read }) => {
      const pageId = await add('am 1. Mai')
      await call('blocks_update', { pageId, replace: [{ old: 'am 1. Mai', new: '26. Mai' }] })
      return faultIn(await read(pageId), { has: [/26/] })
    },
  },
  {
    name: 'replace: a bar in a cell',
    run: async ({ add, call, read }) => {
      const pageId = await add('| a | b |\n| - | - |\n| one | two |')
      await call('blocks_update', { pageId, replace: [{ old: 'one', new: 'x|y' }] })
      return faultIn(await read(pageId), { has: [/x\\\|y \| two/] })
    },
  },
  replaced('line ends', 'line one\nline two', 'line one\r\nline two', /line one/),
  replaced('curly quotes', 'don’t stop “now”', 'don\'t stop "now"', /don’t/),
  replaced('a no-break space', 'call\u00a0me now', 'call me', /call/),
  replaced('decomposed letters', 'cafe\u0301 open', 'café', /cafe\u0301/),
  replaced('one wrong letter', 'The quick brown fox jumps', 'quick brawn fox', /brown/),
  {
    name: 'a done task without a date of completion',
    run: async ({ add, call }) =>
      faultIn(await call<string>('blocks_get', { id: await add('- [x] done'), format: 'json' }), {
        ...{ has: [/"state":"done"/], lacks: [/completedAt/] },
      }),
  },
  {
    name: 'a callout around several blocks',
    run: async ({ written: read }) => {
      const text = await read('<callout>\none\n\n- two\n</callout>\n\n<callout>other</callout>')
      const count = text.match(/<callout/g)?.length
      return count === 2 ? undefined : `Expected two callouts, found ${JSON.stringify(text)}.`
    },
  },
  {
    name: 'a list of nine levels',
    run: async ({ written: read }) => {
      const source = Array.from({ length: 9 }, (_, level) => `${'  '.repeat(level)}- level ${level}`).join('\n')
      return faultIn(await read(source), { has: [/^ {16}- level 8$/m] })
    },
  },
  found('a Korean noun before a particle', '회의록을 정리했다', '회의'),
  found('a Korean place before a particle', '서울에서 만나요', '서울'),
  found('two swapped Cyrillic letters', 'керамика дома', 'кермаика'),
  found('two swapped Latin letters', 'pottery class', 'pottrey'),
  repeats('the last day of each month', '2027-01-31', { type: 'fixed', frequency: 'monthly' }, [
    ...['2027-02-28', '2027-03-31', '2027-04-30'],
  ]),
  repeats('29 February', '2024-02-29', { type: 'fixed', frequency: 'yearly' }, [
    ...['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
  ]),
  {
    name: 'repeat: a task without a date is listed',
    run: async ({ call }) => {
      const repeat = { type: 'fixed', frequency: 'monthly', monthly: { days: [28] } }
      await call('tasks_add', { tasks: [{ markdown: 'undated repeat', repeat }] })
      const lists = await Promise.all(
        ['upcoming', 'active'].map((scope) => call('tasks_list', { scope, format: 'json' })),
      )
      return faultIn(JSON.stringify(lists), { has: [/undated repeat/] })
    },
  },
]
