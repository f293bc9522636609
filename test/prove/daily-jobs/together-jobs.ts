/** Jobs beside agents: what they did, what waits, who may do what, and what goes in and out. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../../page/sample-space.ts'
import type { Job, Person } from './person.ts'

export const TOGETHER_JOBS: readonly Job[] = [
  {
    name: 'Take back what an agent just did',
    async before(person) {
      const codex = program(person.office.space, 'codex', { author: 'Robot' })
      for (const markdown of ['A thought.', 'Another thought.'])
        await codex('blocks_add', { markdown, position: { position: 'end', pageId: person.office.sample.crane } })
    },
    async run(person) {
      await person.press('g', 'n')
      await person.click(
        person.page.getByRole('listitem').filter({ hasText: 'codex' }).getByRole('button', { name: 'Undo' }),
      )
      const thoughts = async () =>
        (await person.blocksOf(person.office.sample.crane)).filter((one) => one.includes('thought'))
      await confirmIfAsked(person)
      await person.expect([], thoughts)
    },
  },
  {
    name: 'Accept one of two suggestions in a text',
    at: ({ plan }) => `/d/${plan}`,
    async run(person) {
      await person.click(person.button(/^Accept the suggestion by nightly-research: insert/))
      const has = async () =>
        (await person.blocksOf(person.office.sample.plan)).includes('Source: port authority, notice 12')
      await person.expect(true, has)
    },
  },
  {
    name: 'Reject a proposal with a word why',
    async run(person) {
      await person.press('g', 'w')
      await person.click('main details.reject summary')
      await person.see('main input[name=note]:visible')
      await person.page.locator('main input[name=note]:visible').first().focus()
      await person.write('Not yet.')
      await person.press('Enter')
      const rejected = async () =>
        (await person.look('proposals_list', { state: 'all' })).items.some(
          ({ note }: { note?: string }) => note === 'Not yet.',
        )
      await person.expect(true, rejected)
    },
  },
  {
    name: 'Restore an earlier version',
    async before(person) {
      const { content } = await person.look('blocks_get', { id: person.office.sample.suppliersDocument })
      await person.look('blocks_update', { blocks: [{ id: content[0].id, markdown: 'Nobody sells cranes.' }] })
    },
    at: ({ suppliersDocument }) => `/d/${suppliersDocument}`,
    async run(person) {
      await person.press('Escape')
      await person.click(person.link('History'))
      await person.click('.timeline li:nth-child(2) > a')
      await person.click(person.button('Restore this version'))
      await confirmIfAsked(person)
      const text = async () => (await person.blocksOf(person.office.sample.suppliersDocument))[0]
      await person.expect('Who sells and repairs cranes.', text)
    },
  },
  {
    name: 'Share a document with an agent',
    at: ({ plan }) => `/d/${plan}`,
    async run(person) {
      await person.click(person.link('Share'))
      await person.page.getByLabel('Name').first().fill('Auditor')
      await person.click(person.button('Make the link'))
      await person.see(person.page.getByRole('textbox', { name: 'For people' }))
    },
  },
  {
    name: 'Take a link away',
    at: () => '/links',
    async before(person) {
      await person.office.linkTo({ name: 'Surveyor' })
    },
    async run(person) {
      await person.click('main li:has-text("Surveyor") details.reject summary')
      await person.click(person.button('Revoke Surveyor'))
      await person.seeGone('main li:has-text("Surveyor") details.reject')
    },
  },
  {
    name: 'Resolve a comment',
    async run(person) {
      const id = await person.document('Questions', 'Who pays?')
      const { content } = await person.look('blocks_get', { id })
      await person.look('comments_add', { comments: [{ blockId: content[0].id, content: 'The port.' }] })
      await person.open(`/d/${id}`)
      await person.click(person.button('Resolve'))
      const open = async () => (await person.look('comments_list', { documentId: id })).items.length
      await person.expect(0, open)
    },
  },
  {
    name: 'Export a document as Markdown',
    at: ({ crane }) => `/d/${crane}`,
    async run(person) {
      await person.click(person.button('More'))
      await person.click(person.page.getByRole('menuitem', { name: /Export/ }).or(person.link(/Export/)))
      const saving = person.page.waitForEvent('download')
      await person.click('.export button.go')
      if (!(await saving).suggestedFilename().endsWith('.zip')) throw new Error('expected a zip')
    },
  },
  {
    name: 'Import a note',
    at: () => '/import',
    async run(person) {
      const folder = mkdtempSync(join(tmpdir(), 'scriptorium-job-'))
      try {
        writeFileSync(join(folder, 'Lighthouse.md'), 'Forty steps up.\n')
        await person.page.locator('input[name="file"]').setInputFiles(join(folder, 'Lighthouse.md'))
        person.clicks += 2
        await person.click('.import button.go')
        await person.page.locator('#import:not([data-running]) h2').first().waitFor()
        await person.click('#import button.go')
        await person.see('#import:not([data-running]) h1:has-text("was imported")')
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
      const titles = async () => (await person.look('documents_list', { limit: 100 })).items
      await person.expect(true, async () =>
        (await titles()).some(({ title }: { title: string }) => title === 'Lighthouse'),
      )
    },
  },
  {
    name: 'Print a document',
    at: ({ plan }) => `/d/${plan}`,
    async run(person) {
      const print = `globalThis.print = () => document.body.setAttribute('data-printed', 'yes')`
      await person.page.context().addInitScript(print)
      await person.click(person.button('More'))
      const opening = person.page
        .context()
        .waitForEvent('page', { timeout: 3_000 })
        .catch(() => person.page)
      await person.click(person.page.getByRole('menuitem', { name: /Print/ }).or(person.link(/Print/)))
      await (await opening).locator('body[data-printed]').waitFor()
    },
  },
  {
    name: 'Open the note of today on a phone, and add a line',
    width: 'phone',
    async run(person) {
      await person.click('main a:text-is("Open")')
      await person.see('html.edits')
      await person.click('.part .block:has-text("Called the port authority") p')
      await person.press('End', 'Enter')
      await person.write('They called back.')
      const has = async () =>
        JSON.stringify(await person.look('blocks_get', { date: 'today' })).includes('They called back.')
      await person.expect(true, has)
    },
  },
  {
    name: 'Find a document on a phone',
    width: 'phone',
    async run(person) {
      await person.click('.places a:has-text("Search")')
      await person.type('crane insp')
      await person.press('Enter')
      await person.expect('Crane inspection', async () =>
        (await person.page.locator('h1').first().textContent())?.trim(),
      )
    },
  },
]

/** What others did since is asked about first. */
async function confirmIfAsked(person: Person): Promise<void> {
  const go = person.page.locator('main form button.go, dialog[open] button.go').first()
  const isAsked = await go.waitFor({ timeout: 1_000 }).then(
    () => true,
    () => false,
  )
  if (isAsked) await person.click(go)
}
