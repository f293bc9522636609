/** Writes into today's daily note: tasks with links to documents, one of which is completed at once. */

import type { DemoReport } from './demo-report.ts'
import type { Host } from './host.ts'
import { type Block, readBlocks, type Shelved } from './shelf.ts'

interface Added extends Block {
  documentId: string
  dailyNoteDate: string
}

export async function writeDailyNote(host: Host, shelf: readonly Shelved[], report: DemoReport): Promise<void> {
  await report.time("Written into today's note", 'blocks', async () => {
    const [first, second, third] = [0, 1, 2].map((step) => shelf[Math.floor((shelf.length * (step + 1)) / 4)])
    const markdown = [
      `# Reading`,
      `${shelf.length} READMEs came in; **these** are first:`,
      `- [ ] Read ${linked(first)}`,
      `- [ ] Compare it with ${linked(second)}`,
      `- [ ] Ask about ${linked(third)}`,
    ].join('\n')
    const { items } = await host.call<{ items: Added[] }>('blocks_add', {
      markdown,
      position: { position: 'end', date: 'today' },
      answer: 'full',
    })
    const tasks = items.filter(({ markdown }) => markdown.startsWith('- [ ] '))
    report.expect("blocks in today's note", [items.length, tasks.length], [5, 3])

    const [task] = tasks
    const id = task?.id ?? ''
    const done = (task?.markdown ?? '').replace('[ ]', '[x]')
    await host.call('blocks_update', { blocks: [{ id, markdown: done }] })
    const note = await readBlocks(host, items[0]?.documentId ?? '')
    const written = items.map((item) => (item.id === id ? done : item.markdown))
    report.expect(
      "today's note as written",
      note.map((block) => block.markdown),
      written,
    )
    const today = await host.read('blocks_get', { date: 'today', format: 'markdown' })
    report.expect('the link in the note', today.text.includes(`block://${first?.id}`), true)
    return items.length
  })
}

const linked = (document: Shelved | undefined): string =>
  `[${document?.title.replaceAll(/[[\]\\*_]/g, '\\$&')}](block://${document?.id})`
