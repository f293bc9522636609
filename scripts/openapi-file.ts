/** Writes docs/openapi.json: the OpenAPI description of a full connection, for generators of clients. */
import program from '../package.json' with { type: 'json' }
import { toolCatalogFor } from '../src/call/catalog/tool-catalog.ts'
import { ARCHIVE_OPENAPI_PATHS } from '../src/http/archives/archive-openapi.ts'
import { createOpenApi } from '../src/rest/openapi.ts'
import { endpoints } from '../tools/index.ts'

/** The address of the connection's paths, as `serve` without flags has it. */
const SERVER = {
  url: 'http://127.0.0.1:4810/links/{secret}/api/v1',
  variables: { secret: { default: 'secret', description: 'The secret of an access link' } },
}

/** Levels of objects with one entry a line: `paths`, their methods, and the kinds of components. */
const LEVELS_OF_LINES = 3

/** The text of the file. Each operation and each shape is one line, which is half as long as with indentation. */
export function openApiFile(): string {
  const options = {
    title: 'Scriptorium',
    version: program.version,
    baseUrl: SERVER.url,
    morePaths: ARCHIVE_OPENAPI_PATHS,
  }
  const document = createOpenApi(endpoints, toolCatalogFor(endpoints, 'full'), options)
  return `${inLines({ ...document, servers: [SERVER] }, LEVELS_OF_LINES)}\n`
}

function inLines(value: unknown, levels: number): string {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return `{\n${entries.map(([key, inner]) => `${JSON.stringify(key)}:${inLines(inner, levels - 1)}`).join(',\n')}\n}`
}
