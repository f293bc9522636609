/**
 * Code-review notes: writes a document about a diff, with a section per file and a comment on each line that somebody
 * should look at.
 *
 *     git diff main | REST_URL=… node code-review-notes.ts my-branch
 */
import { call, type Items, standardInput } from './rest.ts'

const branch = process.argv.slice(2).join(' ') || 'changes'

interface Hunk {
  file: string
  added: string[]
}

interface Block {
  id: string
  markdown: string
  content?: Block[]
}

/** The added lines of a unified diff, file by file. */
function readDiff(diff: string): Hunk[] {
  return diff.split(/^diff --git .*$/m).flatMap((part) => {
    const [, file] = /^\+\+\+ b\/(.+)$/m.exec(part) ?? []
    const [, ...hunks] = part.split(/^@@.*$/m)
    const added = hunks
      .join('\n')
      .split('\n')
      .filter((line) => line.startsWith('+'))
    return file === undefined ? [] : { file, added: added.map((line) => line.slice(1)) }
  })
}

/** What is to be said about a line; undefined for nothing. Here a model would review. */
function review(line: string): string | undefined {
  if (/\b(TODO|FIXME)\b/.test(line)) return 'Is there an issue for this?'
  if (/\bconsole\.log\(|\bprint\(/.test(line)) return 'Left over from debugging?'
  if (line.length > 120) return `This line has ${line.length} characters.`
  return undefined
}

const hunks = readDiff(await standardInput())
// Each line is code of its own, as long as its content needs: backticks in it do not end it.
const asCode = (line: string): string => {
  const fence = '`'.repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  return `- ${fence} ${line.trim()} ${fence}`
}
const sections = hunks.map(({ file, added }) => {
  const questioned = added.filter((line) => review(line) !== undefined)
  const lines = questioned.length === 0 ? ['Nothing to ask.'] : questioned.map(asCode)
  return [`## ${file}`, '', `${added.length} lines added.`, '', ...lines].join('\n')
})
const documents = [{ title: `Review of ${branch}`, markdown: sections.join('\n\n') }]
const { items } = await call<Items<{ id: string }>>('POST /documents', { documents })
const { content = [] } = await call<Block>(`GET /blocks?id=${items[0]?.id}`)
// In the order of the lines: each list item is one that was questioned.
const questions = hunks.flatMap(({ added }) => added.flatMap((line) => review(line) ?? []))
const comments = content
  .filter(({ markdown }) => markdown.startsWith('- `'))
  .map(({ id }, index) => ({ blockId: id, content: questions[index] }))
if (comments.length > 0) await call('POST /comments', { comments })
console.log(`files: ${hunks.length}, comments: ${comments.length}`)
