import type { Resource } from '../src/server-catalog.ts'
import {
  readDocumentResource,
  readFileResource,
  readWhiteboardResource,
} from '../src/space/resources/resource-content.ts'
import {
  filterReachableDocuments,
  filterReachableFiles,
  filterReachableWhiteboards,
  listChangedDocuments,
  listChangedWhiteboards,
  listDocumentResources,
  listFileResources,
  listWhiteboardResources,
} from '../src/space/resources/resource-list.ts'

const documents: Resource = {
  name: 'document',
  title: 'Document',
  description: 'A document with all that it holds, as Markdown.',
  template: 'scriptorium://documents/{id}',
  mimeType: 'text/markdown',
  list: ({ space }, after, limit) => listDocumentResources(space, after, limit),
  read: ({ space }, id) => readDocumentResource(space, id),
  filterReachable: ({ space }, ids) => filterReachableDocuments(space, ids),
  changedIds: ({ space }, documents) => listChangedDocuments(space, documents),
}

const files: Resource = {
  name: 'file',
  title: 'File',
  description: 'The bytes of an image, video or file.',
  template: 'scriptorium://files/{id}',
  list: ({ space }, after, limit) => listFileResources(space, after, limit),
  read: ({ space }, id) => readFileResource(space, id),
  filterReachable: ({ space }, ids) => filterReachableFiles(space, ids),
  // The bytes of a file never change.
  changedIds: async () => [],
}

const whiteboards: Resource = {
  name: 'whiteboard',
  title: 'Whiteboard',
  description: 'The elements of a whiteboard, as Excalidraw has them.',
  template: 'scriptorium://whiteboards/{id}',
  mimeType: 'application/json',
  list: ({ space }, after, limit) => listWhiteboardResources(space, after, limit),
  read: ({ space }, id) => readWhiteboardResource(space, id),
  filterReachable: ({ space }, ids) => filterReachableWhiteboards(space, ids),
  changedIds: ({ space }, documents) => listChangedWhiteboards(space, documents),
}

/** The kinds of resources that clients can read and watch. */
export const resources = [documents, files, whiteboards]
