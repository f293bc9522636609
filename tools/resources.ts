import type { Resource } from '../src/endpoint.ts'
import {
  boardsWithin,
  changedBoards,
  changedDocuments,
  documentsWithin,
  filesWithin,
  listBoards,
  listDocuments,
  listFiles,
} from '../src/space/resources.ts'
import { readBoard, readDocument, readFile } from '../src/space/resources-read.ts'

const documents: Resource = {
  name: 'document',
  title: 'Document',
  description: 'A document with all that it holds, as Markdown.',
  template: 'scriptorium://documents/{id}',
  mimeType: 'text/markdown',
  list: ({ space }, after, limit) => listDocuments(space, after, limit),
  read: ({ space }, id) => readDocument(space, id),
  within: ({ space }, ids) => documentsWithin(space, ids),
  changed: ({ space }, documents) => changedDocuments(space, documents),
}

const files: Resource = {
  name: 'file',
  title: 'File',
  description: 'The bytes of an image, video or file.',
  template: 'scriptorium://files/{id}',
  list: ({ space }, after, limit) => listFiles(space, after, limit),
  read: ({ space }, id) => readFile(space, id),
  within: ({ space }, ids) => filesWithin(space, ids),
  // The bytes of a file never change.
  changed: async () => [],
}

const whiteboards: Resource = {
  name: 'whiteboard',
  title: 'Whiteboard',
  description: 'The elements of a whiteboard, as Excalidraw has them.',
  template: 'scriptorium://whiteboards/{id}',
  mimeType: 'application/json',
  list: ({ space }, after, limit) => listBoards(space, after, limit),
  read: ({ space }, id) => readBoard(space, id),
  within: ({ space }, ids) => boardsWithin(space, ids),
  changed: ({ space }, documents) => changedBoards(space, documents),
}

/** What clients may read and watch by its address. */
export const resources = [documents, files, whiteboards]
