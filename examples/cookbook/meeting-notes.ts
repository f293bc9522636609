/**
 * Meeting notes: turns raw notes into a document with decisions, and tasks for those who took them on.
 *
 *     REST_URL=… node meeting-notes.ts "Standup, November 20" < raw.txt
 */
import { call, type Items, standardInput } from './rest.ts'

const title = process.argv.slice(2).join(' ') || 'Meeting'

interface Member {
  id: string
  name: string
}

interface Record {
  decisions: string[]
  tasks: { text: string; who?: string }[]
  rest: string[]
}

/**
 * Here a model would read the notes. This function takes lines that begin with `decision:` and `Name will …`, and keeps
 * all others as they are: nothing that was said is lost.
 */
function read(notes: string, members: readonly Member[]): Record {
  const record: Record = { decisions: [], tasks: [], rest: [] }
  for (const line of notes.split('\n').map((one) => one.trim())) {
    const [, decision] = /^decision:\s*(.+)$/i.exec(line) ?? []
    const [, name, text] = /^(\S+) will (.+)$/.exec(line) ?? []
    const who = members.find((member) => member.name.split(' ')[0] === name)?.name
    if (decision !== undefined) record.decisions.push(decision)
    else if (text !== undefined && name !== undefined) {
      record.tasks.push(who === undefined ? { text: `${name}: ${text}` } : { text, who })
    } else if (line !== '') record.rest.push(line)
  }
  return record
}

const { members = [] } = await call<{ members?: Member[] }>('GET /connection')
const notes = await standardInput()
const { decisions, tasks, rest } = read(notes, members)
const list = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${heading}`, '', ...lines.map((line) => `- ${line}`), '']
const markdown = [...list('Decisions', decisions), ...list('Notes', rest), '## Tasks'].join('\n')
// One call: the document with its tasks, or nothing. "$notes" is the document that the first step makes.
const steps = [
  { tool: 'documents_add', arguments: { documents: [{ title, markdown }] }, as: 'notes' },
  ...(tasks.length === 0
    ? []
    : [
        {
          tool: 'tasks_add',
          arguments: {
            tasks: tasks.map(({ text, who }) => ({
              markdown: text,
              location: { type: 'document', documentId: '$notes' },
              ...(who !== undefined && { taskInfo: { assignee: who } }),
            })),
          },
        },
      ]),
]
await call<Items<unknown>>('POST /batch', { steps })
console.log(`decisions: ${decisions.length}, tasks: ${tasks.length}`)
