/**
 * Long texts and many titles are read in steps, between which other calls are served. How many milliseconds a
 * step takes is measured by `npm run bench -- pauses`.
 */
import { expect, onTestFinished, test } from 'vitest'
import type { Pattern } from '../../src/regex/pattern.ts'
import { scanTexts } from '../../src/space/search/pattern-scan.ts'
import { addDocument, openWorkbench } from '../bench/workbench.ts'
import { countCheckpoints } from '../support/steps.ts'

const list = <Entry>(length: number, entry: (index: number) => Entry) => Array.from({ length }, (_, at) => entry(at))

async function bench() {
  const opened = await openWorkbench(':memory:')
  onTestFinished(() => opened.close())
  return { ...opened, pageId: await addDocument(opened, 'Document') }
}

test.each([
  ['signs', '*a_'],
  ['a script without spaces', '我们今天讨论全文搜索的设计'],
])('a block of 60,000 characters of %s is indexed in steps', async (_, signs) => {
  const { call, pageId } = await bench()
  const markdown = signs.repeat(60_000).slice(0, 60_000)
  const add = (text: string) =>
    countCheckpoints(() =>
      call('blocks_add', { blocks: [{ type: 'text', markdown: text }], position: { position: 'end', pageId } }),
    )
  // What happens beside a call, such as a look at leases, may be counted with it.
  const ofShort = Math.min(await add('short'), await add('short'), await add('short'))
  expect((await add(markdown)) - ofShort).toBeGreaterThanOrEqual(8)
})

test.each(['json', 'markdown'] as const)(
  'a list of 40 formatted titles as %s lets others in at each',
  async (format) => {
    const { call } = await bench()
    const documents = list(40, () => ({ title: '*a_'.repeat(300) }))
    await call('documents_add', { documents })
    expect(await countCheckpoints(() => call('documents_list', { limit: 1_000, format }))).toBeGreaterThan(40)
  },
)

test('texts are searched at once only while they are short for the pattern', async () => {
  const searched: string[] = []
  const pattern = {
    ...{ source: 'a', flags: { caseSensitive: true }, steps: 10, test: () => false },
    spans(text: string) {
      searched.push(text)
      return []
    },
  } as unknown as Pattern
  const [first, second] = ['a'.repeat(5_000), 'b'.repeat(5_001)]
  await scanTexts(pattern, [first, second, 'c'])
  // The second takes 50,010 steps, and is searched in a thread, with what follows.
  expect(searched).toEqual([first])
})
