/** Jobs in a document: writing, linking, pasting, moving and taking back. */
import type { Job, Person } from './person.ts'

/** Opens a new document of an agent, with the caret at the end of its first block. */
async function write(person: Person, markdown = ''): Promise<string> {
  const id = await person.document('Tides', markdown)
  await person.open(`/d/${id}`)
  await person.page.locator('.part p, .part .item-text').first().click()
  await person.page.keyboard.press('Control+End')
  return id
}

const stored = (person: Person, id: string, ...markdown: string[]) => person.expect(markdown, () => person.blocksOf(id))

/** Selects the word before the caret. */
const selectWord = (person: Person) => person.press('Control+Shift+ArrowLeft')

export const WRITING_JOBS: readonly Job[] = [
  {
    name: 'Make a document and write into it',
    async run(person) {
      await person.press('c')
      await person.see('dialog[open] input[name="title"]')
      await person.write('Ferry times')
      await person.press('Enter')
      await person.see('html.edits h1')
      await person.page.locator('.part p:focus, .ProseMirror-focused').first().waitFor()
      await person.write('The first one leaves at six.')
      const idOf = () => /\/d\/(\w+)/.exec(person.page.url())?.[1] ?? ''
      await person.expect(['The first one leaves at six.'], () => person.blocksOf(idOf()))
    },
  },
  {
    name: 'Write a heading and a nested list',
    async run(person) {
      const id = await write(person)
      await person.type('## ')
      await person.write('Times')
      await person.press('Enter')
      await person.type('- ')
      await person.write('Morning')
      await person.press('Enter', 'Tab')
      await person.write('Six')
      await stored(person, id, '## Times', '- Morning', '  - Six')
    },
  },
  {
    name: 'Nest a page in a document',
    async run(person) {
      const id = await write(person, 'Above')
      await person.press('Enter')
      await person.type('/page')
      await person.see('#kinds:visible')
      await person.press('Enter')
      await person.see('nav#nav .nested a')
      const nested = async () =>
        (await person.look('blocks_get', { id })).content.some(({ type }: { type: string }) => type === 'page')
      await person.expect(true, nested)
    },
  },
  {
    name: 'Link another document',
    async run(person) {
      const id = await write(person)
      await person.type('[[')
      await person.type('crane')
      await person.see('[role=listbox]:visible [role=option]:has-text("Crane inspection")')
      await person.press('Enter')
      const link = `[Crane inspection](block://${person.office.sample.crane})`
      await person.expect(true, async () => (await person.blocksOf(id)).join('').includes(link))
    },
  },
  {
    name: 'Make words bold',
    async run(person) {
      const id = await write(person, 'leaves early')
      await selectWord(person)
      await person.press('Control+b')
      await stored(person, id, 'leaves **early**')
    },
  },
  {
    name: 'Link words to an address',
    async run(person) {
      const id = await write(person, 'see the timetable')
      await selectWord(person)
      await person.press('Control+k')
      await person.see('input[placeholder="Address"]:visible')
      await person.write('https://ferry.example.org')
      await person.press('Enter')
      await stored(person, id, 'see the [timetable](https://ferry.example.org)')
    },
  },
  {
    name: 'Paste from a web page',
    async run(person) {
      const id = await write(person)
      await person.paste({
        'text/html': '<h2>Fares</h2><ul><li>Adult: <b>4 €</b></li><li>Child: 2 €</li></ul>',
        'text/plain': 'Fares Adult: 4 € Child: 2 €',
      })
      await stored(person, id, '## Fares', '- Adult: **4 €**', '- Child: 2 €')
    },
  },
  {
    name: 'Make a table and fill it',
    async run(person) {
      const id = await write(person)
      await person.type('/table')
      await person.see('#kinds:visible')
      await person.press('Enter')
      await person.see('.part table')
      await person.write('Day')
      await person.press('Tab')
      await person.write('Ferries')
      await person.expect(true, async () => (await person.blocksOf(id)).join('').startsWith('| Day | Ferries |'))
    },
  },
  {
    name: 'Undo what was typed, and redo it',
    async run(person) {
      const id = await write(person, 'One')
      await person.write(' two')
      await stored(person, id, 'One two')
      await person.press('Control+z')
      await stored(person, id, 'One')
      await person.press('Control+Shift+z')
      await stored(person, id, 'One two')
    },
  },
  {
    name: 'Move a block up',
    async run(person) {
      const id = await write(person, 'One\n\nTwo\n\nThree')
      await person.press('Alt+Shift+ArrowUp')
      await stored(person, id, 'One', 'Three', 'Two')
    },
  },
  {
    name: 'Delete three blocks at once',
    async run(person) {
      const id = await write(person, 'One\n\nTwo\n\nThree\n\nFour')
      await person.press('Escape', 'Shift+ArrowUp', 'Shift+ArrowUp', 'Delete')
      await stored(person, id, 'One')
    },
  },
  {
    name: 'Turn a paragraph into a task',
    async run(person) {
      const id = await write(person, 'Book the ferry')
      await person.press('Home')
      await person.type('[] ')
      await stored(person, id, '- [ ] Book the ferry')
    },
  },
  {
    name: 'Rename a document',
    async run(person) {
      const id = await person.document('Tides')
      await person.open(`/d/${id}`)
      await person.click('h1')
      await person.press('Control+a')
      await person.write('Tides of March')
      const title = async () => (await person.look('blocks_get', { id, maxDepth: 0 })).title
      await person.expect('Tides of March', async () => {
        const found = await title()
        return typeof found === 'string' ? found : found.value
      })
    },
  },
  {
    name: 'Comment on words',
    async run(person) {
      const id = await write(person, 'leaves early')
      await selectWord(person)
      await person.press('Control+Alt+m')
      await person.see('textarea:visible')
      await person.page.locator('textarea:visible').first().focus()
      await person.write('How early?')
      await person.press('Control+Enter')
      const words = async () => (await person.look('comments_list', { documentId: id })).items.length
      await person.expect(1, words)
    },
  },
]
