/** The OpenAPI description of imports and exports. */
import { LINK_STYLES } from '../../export/export-formats.ts'
import { errorResponses } from '../../rest/openapi-components.ts'

const query = (name: string, description: string, schema: object = { type: 'string' }, required = false): object => ({
  ...{ name, in: 'query', required, description, schema },
})
const count = { type: 'integer' }
const importStatus = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    status: { type: 'string', enum: ['running', 'done', 'failed', 'stopped'] },
    documents: { type: 'object', properties: { done: count, total: count }, required: ['done', 'total'] },
    documentsPerSecond: count,
    secondsLeft: count,
    report: { type: 'object', additionalProperties: true },
    problemsLeftOut: count,
    error: { $ref: '#/components/schemas/Error' },
  },
  required: ['id', 'name', 'status', 'documents', 'documentsPerSecond'],
}
const json = (description: string): object => ({
  description,
  content: { 'application/json': { schema: importStatus } },
})

export const ARCHIVE_OPENAPI_PATHS = {
  '/import': {
    post: {
      operationId: 'import_start',
      summary: 'Import a file',
      description:
        'Takes a zip of documents, or one file in a format that is imported, and imports it after the answer. The name says what it is: Books.csv. Ask GET /import/{id} how far it is.',
      parameters: [
        query('name', 'By which a later import of the same source knows it again', undefined, true),
        query('as', 'Its format; found by itself when absent'),
        query('into', 'The ID or the name of the folder that it goes into'),
        query('collections', 'Make collections of folders of notes with properties', { type: 'boolean' }),
        query('delete', 'Move documents to the trash whose files are gone', { type: 'boolean' }),
        query('dryRun', 'Say what would come in, and write nothing', { type: 'boolean' }),
      ],
      requestBody: {
        required: true,
        content: {
          'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } },
          'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
        },
      },
      responses: {
        '202': json('The import, which runs'),
        ...errorResponses({ hasBody: true, isChange: true }),
      },
    },
  },
  '/import/{id}': {
    get: {
      operationId: 'import_get',
      summary: 'Get the progress or report of an import',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        '200': json('How far it is, and its report at the end'),
        ...errorResponses({ hasBody: false, isChange: false }),
      },
    },
  },
  '/export': {
    get: {
      operationId: 'export_get',
      summary: 'Export documents',
      description: 'A zip with the documents as Markdown that Obsidian opens as a vault.',
      parameters: [
        query('as', 'markdown or obsidian, which are the same', { type: 'string', enum: ['markdown', 'obsidian'] }),
        query('documents', 'IDs with commas between them; all documents when absent'),
        query('links', 'how links are written; by default as in the notes that were imported, otherwise relative', {
          type: 'string',
          enum: [...LINK_STYLES],
        }),
        query('ids', 'false to leave the IDs and times of documents out of the front matter', { type: 'boolean' }),
      ],
      responses: {
        '200': {
          description: 'The zip',
          content: { 'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } } },
        },
        // One export runs at a time.
        ...errorResponses({ hasBody: false, isChange: true }),
      },
    },
  },
}
