/** The thread that writes notes in the spelling of their sources. */
import { answerInWorker } from '../../base/worker.ts'
import { NoteIndex } from '../../import/markdown/note-index.ts'
import { parseYaml, textsOf } from '../../markdown/front-matter.ts'
import type { ExportedFile } from './read-spelling.ts'
import type { SpellingAnswer, SpellingRequest } from './spelling-thread.ts'
import { writeSpelled } from './write-spelled.ts'

interface Run {
  index: NoteIndex<ExportedFile>
  /** By path. */
  anchors: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const runs = new Map<number, Run>()
const NO_ANCHORS: ReadonlyMap<string, number> = new Map()

function openRun(files: readonly ExportedFile[]): Run {
  const anchors = files.map((file) => [file.path, file.anchors ?? NO_ANCHORS] as const)
  return { index: new NoteIndex(files.map(withAliases)), anchors: new Map(anchors) }
}

/** Properties are only read here, where they may take long. */
function withAliases(file: ExportedFile): ExportedFile {
  if (file.yaml === undefined) return file
  return { ...file, aliases: textsOf(parseYaml(file.yaml).values, 'aliases', 'alias') }
}

answerInWorker((request: SpellingRequest): SpellingAnswer => {
  if ('files' in request) runs.set(request.run, openRun(request.files))
  if ('isOver' in request) runs.delete(request.run)
  const run = runs.get(request.run)
  if (run === undefined || !('note' in request)) return { isReady: run !== undefined }
  const { note, source } = request
  return { text: writeSpelled(note, source, run.index, run.anchors.get(note.path) ?? NO_ANCHORS) }
})
