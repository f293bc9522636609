/** Faults that the proof must find, each on its own, by the part that looks for it. */
import type { Mutation } from '../mutated-sources.ts'
import type { ProofContext } from '../proof.ts'
import { closeQuickly } from './closing.ts'
import { writeConcurrently } from './concurrent-writers.ts'
import { CASES, checkConflicts } from './conflicts.ts'
import { type EditingServer, openBrowser } from './editing-server.ts'
import { EditingSession } from './editing-session.ts'
import { fillInForms } from './forms.ts'
import { writeOffline } from './offline.ts'
import { sharePlace } from './shared-place.ts'
import { useTwoTabs } from './two-tabs.ts'
import { letterFaults, typeInLongDocument } from './typing.ts'

export interface PlantedEditing {
  /** What is changed in the sources of the program, if it is not only a script in the page. */
  mutations?: readonly Mutation[]
  /** The part of the proof that looks for it. @returns the faults that it found */
  look: (server: EditingServer, context: ProofContext) => Promise<string[]>
  /** By which sentence it is found. */
  found: RegExp
}

/** Scripts that run in the page. */
const UNSENT = `
  const send = fetch
  let count = 0
  globalThis.fetch = async (address, options) =>
    String(address).includes('/calls') && options?.headers?.['idempotency-key'] && ++count % 4 === 0
      ? Response.json({ answer: { items: [] } })
      : send(address, options)`
const UNNAMED = `
  for (const box of document.querySelectorAll('.box, .block-handle')) {
    box.removeAttribute('aria-labelledby')
    box.removeAttribute('aria-label')
    box.textContent = ''
  }`
const SLOWED = `document.addEventListener('keydown', () => { for (const end = performance.now() + 150; performance.now() < end; ); }, true)`

/** Two versions of a text are never merged: the one that is written last stands. */
const UNMERGED: Mutation = {
  file: 'src/difference/merge-texts.ts',
  find: '  if (pairs.isReached) return undefined\n',
  replace: '  if (!pairs.isReached) return mine\n',
}

/** What the server refuses is not shown beside what it has. */
const VERSION_FORGOTTEN: Mutation = {
  file: 'src/page/assets/sync/refused-changes.ts',
  find: "      this.#writer.store.put('conflict', kept, tab)\n",
  replace: '',
}

/** The tabs of a browser keep their drafts in one place. */
const ONE_DRAFT: Mutation = {
  file: 'src/page/assets/sync/unsaved-text.ts',
  find: 'kept: UnsavedText, tab = this.#tab): void',
  replace: "kept: UnsavedText, tab = 'one'): void",
}

/** A tab that is closed sends nothing of what was typed last. */
const LAST_UNSENT: Mutation = {
  file: 'src/page/assets/unsent.ts',
  find: 'calls.sendLast(draftCalls(base, session, tab).map(({ call }) => call))',
  replace: 'calls.sendLast([])',
}

/** All sessions of a browser have one queue. */
const ONE_QUEUE: Mutation = {
  file: 'src/page/assets/this-session.ts',
  find: 'sessionName(base, owner)',
  replace: "sessionName(base, owner && '0'.repeat(owner.length))",
}

/** Forms do not wait for a connection. */
const FORM_UNQUEUED: Mutation = {
  file: 'src/page/assets/unsent/sent-forms.ts',
  find: '    detail.outcome = sendForm(calls, detail.form)\n',
  replace: '',
}

const SECONDS = 8

/** Two people and two agents write. @param planted  a script for the pages of the people */
const writeTogether =
  (planted: string): PlantedEditing['look'] =>
  async (server, { seed }) =>
    (await writeConcurrently({ server, seed, seconds: SECONDS, planted })).faults

const LETTERS = 20

export const PLANTED_EDITING: Record<string, PlantedEditing> = {
  'calls that are not sent': { look: writeTogether(UNSENT), found: /are nowhere|shows another document/ },
  'controls without names': {
    async look(server, { folder }) {
      const browser = await openBrowser()
      const { faults } = await new EditingSession(server, browser, folder, UNNAMED).run().finally(() => browser.close())
      return faults
    },
    found: /(?:button-name|aria-[a-z-]*name) at /,
  },
  'slow letters': {
    look: async (server) => letterFaults(await typeInLongDocument(server, LETTERS, SLOWED)),
    found: /Expected letters within/,
  },
  'texts that are not merged': {
    mutations: [UNMERGED],
    look: (server) =>
      checkConflicts(
        server,
        CASES.filter(({ name }) => name === 'both change words of a paragraph'),
      ),
    found: /both change words of a paragraph: expected blocks/,
  },
  'a version that is forgotten': { mutations: [VERSION_FORGOTTEN], look: writeOffline, found: /\.versions/ },
  'one draft for two tabs': { mutations: [ONE_DRAFT], look: useTwoTabs, found: /expected the texts of both tabs/ },
  'a tab that closes and sends nothing': {
    mutations: [LAST_UNSENT],
    look: closeQuickly,
    found: /expected the words of a closed tab/,
  },
  'one queue for two people': {
    mutations: [ONE_QUEUE],
    look: sharePlace,
    found: /expected the text of Bob alone|1 change waits/,
  },
  'a form that does not wait': {
    mutations: [FORM_UNQUEUED],
    look: fillInForms,
    found: /1 change waits|expected tasks that were added/,
  },
}
