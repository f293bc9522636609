/** Brings Markdown files into folders of a space as documents. */
import { type Host, Refused } from './host.ts'
import type { Ledger } from './ledger.ts'
import { withBar } from './progress.ts'
import type { Readme } from './readmes.ts'
import type { Shelved } from './shelf.ts'

/** Documents in one call: few enough to see how it goes. */
const A_CALL = 5

interface Items<Item> {
  items: Item[]
}

/** Folders by name. */
export async function addFolders(host: Host, names: readonly string[]): Promise<Map<string, string>> {
  const folders = names.map((name) => ({ name }))
  const { items } = await host.call<Items<{ id: string }>>('folders_add', { folders })
  return new Map(items.map(({ id }, index) => [names[index] ?? '', id]))
}

/**
 * All files as documents. What cannot be read as Markdown is told, and kept as the text that it is: nothing is left
 * out unseen.
 */
export async function bringIn(host: Host, readmes: readonly Readme[], ledger: Ledger) {
  const folders = new Map<string, string>()
  const shelf: Shelved[] = []
  const refused: string[] = []

  await ledger.time('Folders made', 'folders', async () => {
    const names = [...new Set(readmes.map(({ folder }) => folder))].sort()
    for (const [name, id] of await addFolders(host, names)) folders.set(name, id)
    return folders.size
  })
  await ledger.time('READMEs brought in', 'documents', async () => {
    const add = async (batch: readonly Readme[]) => {
      const folderId = folders.get(batch[0]?.folder ?? '') ?? ''
      const ids = await addAll(host, folderId, batch).catch(() => addEach(host, folderId, batch, refused))
      for (const [index, readme] of batch.entries()) {
        shelf.push({ ...readme, id: ids[index] ?? '', folderId, blocks: [] })
      }
    }
    await withBar('Bringing in READMEs', inCalls(readmes), add, ({ length }) => length)
    return shelf.length
  })
  return { shelf, refused, folders }
}

function inCalls(readmes: readonly Readme[]): Readme[][] {
  const byFolder = Map.groupBy(readmes, ({ folder }) => folder)
  return [...byFolder.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / A_CALL) }, (_, index) =>
      all.slice(index * A_CALL, (index + 1) * A_CALL),
    ),
  )
}

async function addAll(host: Host, folderId: string, readmes: readonly Omit<Readme, 'folder'>[]): Promise<string[]> {
  const documents = readmes.map(({ title, markdown }) => ({ title, markdown }))
  const asked = { documents, destination: { folderId } }
  return (await host.call<Items<{ id: string }>>('documents_add', asked)).items.map(({ id }) => id)
}

async function addEach(host: Host, folderId: string, readmes: readonly Readme[], refused: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const readme of readmes) {
    try {
      ids.push(...(await addAll(host, folderId, [readme])))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refused.push(`${readme.title}: ${error.message.replaceAll('\n', ' ')}`)
      ids.push(...(await addAll(host, folderId, [{ title: readme.title, markdown: fenced(readme.markdown) }])))
    }
  }
  return ids
}

/** A text as one code block, within a fence that the text itself does not hold. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}markdown\n${text}\n${fence}`
}
