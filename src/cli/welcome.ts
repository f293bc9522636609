/** The first document of a new space: describes what a space can do, and what to ask an agent first. */
import { endpoints } from '../../tools/index.ts'
import { toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { runCall } from '../call/run.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'

/** The author in the audit log. */
const AUTHOR = 'Scriptorium'
const TITLE = 'Welcome to Scriptorium'
/** Contains no tasks or links, so that it only appears in lists of documents. */
const MARKDOWN = `This space is one file on your machine. You and your agents work in it together: you ask, the agent finds, reads and writes.

## What a space holds

- **Documents** in folders: pages with text, lists, tables, code and images, written as Markdown
- **Daily notes**, a page for each day
- **Tasks** in any page or in the inbox, with dates, repeats and reminders
- **Collections**: tables whose items are pages, with views that filter, sort and group them
- **Files**, **whiteboards** and **comments**, and a search over all of it

## What to ask your agent first

1. Write into today's note what I decided today: …
2. Make a document of these meeting notes, and a task of each thing that I have to do: …
3. What is due this week?
4. Keep a collection of the books I read, with author, rating and date.
5. What did we write about …?

Each write is in the audit log, and deleted documents stay in the trash until it is emptied. This page is a document like any other: delete it when you no longer need it.
`

/** Adds the document by the same call that an agent would make, so that all rules apply. */
export async function addWelcomeDocument(space: OpenSpace): Promise<void> {
  const tool = toolCatalogFor(endpoints, 'full').get('documents_add')
  const documents = [{ title: TITLE, markdown: MARKDOWN }]
  await runCall(tool, { documents }, { space, link: { ...OPERATOR_LINK, author: AUTHOR } })
}
