/**
 * Research notebook, over MCP: adds findings with their sources to the notebook of a topic, each source once, and keeps
 * open questions as tasks.
 *
 *     echo "[{ \"finding\": \"…\", \"source\": \"https://…\", \"question\": \"…\" }]" | MCP_URL=… node research-notebook.ts Heat pumps
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { standardInput } from './rest.ts'

const { MCP_URL } = process.env
if (MCP_URL === undefined) throw new Error('Expected the MCP address of a link in MCP_URL, found none.')
const topic = process.argv.slice(2).join(' ')
const title = `Notebook: ${topic}`

interface Finding {
  finding: string
  source: string
  question?: string
}

const client = new Client({ name: 'research-notebook', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(MCP_URL)))

async function call(name: string, args: object): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } })
  const text = content.map((part) => ('text' in part ? part.text : '')).join('\n')
  if (isError) throw new Error(text)
  return text
}

/** Here a model with a web search would find something. What comes over standard input is used in its place. */
const research = async (): Promise<Finding[]> => JSON.parse(await standardInput())

async function notebook(): Promise<string> {
  const found = JSON.parse(await call('documents_search', { include: `"${title}"`, format: 'json' }))
  const same = found.items.find((one: { title: string }) => one.title === title)
  if (same !== undefined) return same.documentId
  const documents = [{ title, markdown: '## Findings\n\n## Open questions' }]
  return JSON.parse(await call('documents_add', { documents })).items[0].id
}

const documentId = await notebook()
const page = JSON.parse(await call('blocks_get', { id: documentId, format: 'json' }))
const text = await call('blocks_get', { id: documentId, format: 'markdown' })
const questions = page.content.find(({ markdown }: { markdown: string }) => markdown === '## Open questions')
const isNew = ({ source }: Finding): boolean => !text.includes(`<${source}>`) && !text.includes(`(${source})`)
const findings = (await research()).filter(isNew)
if (findings.length > 0) {
  const markdown = findings.map(({ finding, source }) => `- ${finding} ([source](${source}))`).join('\n')
  await call('blocks_add', { markdown, position: { position: 'before', siblingId: questions.id } })
}
const asked = findings.flatMap(({ question }) => (question === undefined ? [] : `- [ ] ${question}`))
if (asked.length > 0) {
  await call('blocks_add', { markdown: asked.join('\n'), position: { position: 'after', siblingId: questions.id } })
}
console.log(`findings: ${findings.length}, questions: ${asked.length}`)
await client.close()
