/** Jobs around documents: finding, ordering, tasks and days. */
import type { Job, Person } from './person.ts'

/** The document that the page shows. */
const heading = (person: Person) => async () => (await person.page.locator('h1').first().textContent())?.trim()

export const FINDING_JOBS: readonly Job[] = [
  {
    name: 'Find a document by its title',
    async run(person) {
      await person.press('Control+k')
      await person.type('harbour pl')
      await person.press('Enter')
      await person.expect('Harbour plan', heading(person))
    },
  },
  {
    name: 'Find a text',
    async run(person) {
      await person.press('Control+k')
      await person.type('port authority')
      await person.see('dialog [role=option]:has-text("port authority"), dialog a:has-text("port authority")')
      await person.press('Enter')
      await person.see('main:has-text("port authority")')
    },
  },
  {
    name: 'Open the note of today',
    async run(person) {
      await person.press('g', 't')
      await person.see('main:has-text("Called the port authority")')
    },
  },
  {
    name: 'Go to a day',
    async run(person) {
      await person.press('Control+k')
      await person.type('24. Dezember')
      await person.see('dialog :text("December 24")')
      await person.press('Enter')
      await person.expect(true, async () => person.page.url().includes('-12-24'))
    },
  },
  {
    name: 'Open what was changed last',
    async run(person) {
      await person.click(person.page.locator('main').getByRole('link', { name: 'Suppliers', exact: true }))
      await person.expect('Suppliers', heading(person))
    },
  },
  {
    name: 'Make a folder',
    at: () => '/documents',
    async run(person) {
      await person.click(person.link('New folder…'))
      await person.see('input[name="name"]')
      await person.write('Contracts')
      await person.press('Enter')
      await person.see('nav#nav a:has-text("Contracts")')
    },
  },
  {
    name: 'Move a document to a folder',
    at: ({ projects }) => `/folders/${projects}`,
    async run(person) {
      await person.drag(
        '#list a:has-text("Crane inspection")',
        'nav#nav a:has-text("Meetings")',
        'nav#nav a.drop:has-text("Meetings")',
      )
      await person.seeGone('#list a:has-text("Crane inspection")')
      const { items } = await person.look('documents_list', {
        folderId: person.office.sample.meetings,
        limit: 50,
      })
      if (!items.some(({ title }: { title: string }) => title === 'Crane inspection'))
        throw new Error('expected the document in the folder')
    },
  },
  {
    name: 'Pin a document to Home',
    at: ({ plan }) => `/d/${plan}`,
    async run(person) {
      await person.click(person.button('More'))
      await person.click(person.page.getByRole('menuitem', { name: 'Pin to Home' }).or(person.button('Pin to Home')))
      await person.open('/')
      await person.see('main :text-is("Pinned")')
    },
  },
  {
    name: 'Trash a document, and restore it',
    async run(person) {
      const id = await person.document('Low tide')
      await person.open(`/d/${id}`)
      await person.click(person.button('More'))
      await person.click(person.page.getByRole('menuitem', { name: /trash/i }).or(person.button(/trash/i)))
      await person.click(person.button(/^Restore/))
      const places = async () =>
        (await person.look('documents_list', { limit: 100 })).items.some((item: { id: string }) => item.id === id)
      await person.expect(true, places)
    },
  },
  {
    name: 'Add a task for tomorrow',
    at: () => '/tasks',
    async run(person) {
      await person.press('c')
      await person.write('Call Anna')
      await person.type(' tomorrow')
      await person.press('Enter')
      await person.see('main:has-text("Call Anna")')
      const found = async () =>
        (await person.look('tasks_list', { scope: 'upcoming' })).items.some(({ markdown }: { markdown: string }) =>
          markdown.includes('Call Anna'),
        )
      await person.expect(true, found)
    },
  },
  {
    name: 'Tick what is due, and take it back',
    async run(person) {
      const box = person.page.getByRole('checkbox', { name: 'Renew the insurance' })
      const open = async () =>
        (await person.look('tasks_list', { scope: 'active' })).items.some(({ markdown }: { markdown: string }) =>
          markdown.includes('Renew the insurance'),
        )
      await person.click(box)
      await person.expect(false, open)
      await person.click(person.button('Undo'))
      await person.expect(true, open)
    },
  },
  {
    name: 'Give a task another day',
    at: () => '/tasks',
    async run(person) {
      await person.click('main li:has-text("Compare quotes") a:has(time)')
      const date = person.page.getByRole('dialog').getByLabel('Date', { exact: true })
      await person.click(date)
      await person.type('next friday')
      await person.press('Enter')
      const found = async () =>
        (await person.look('tasks_list', { scope: 'upcoming' })).items.some(({ markdown }: { markdown: string }) =>
          markdown.includes('Compare quotes'),
        )
      await person.expect(true, found)
    },
  },
]
