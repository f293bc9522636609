/** The secrets of an exported space when it is loaded: decrypted, or replaced by new ones. */
import { randomBytes } from 'node:crypto'
import { type DumpedRow, dumpedKey, SECRET_COLUMNS } from '../../../storage/dump.ts'
import { ERASED_RESPONSE } from '../../../storage/stored-responses.ts'
import { invalid } from '../../base/errors.ts'
import type { ImportProblem } from '../import-source.ts'
import { isSealed, SecretBox } from './export-secrets.ts'
import { SPACE_FILE, type SpaceExportInfo } from './space-export.ts'

/** A row of an export: a secret may be encrypted or missing. */
export type ExportedRow = Readonly<Record<string, unknown>>

const KEY_BYTES = 32

export class LoadedSecrets {
  readonly problems: ImportProblem[] = []
  readonly notes: string[] = []
  readonly #space: string
  readonly #box: SecretBox | undefined
  readonly #newSigningSecret: () => string
  readonly #now: number

  private constructor(space: string, box: SecretBox | undefined, newSigningSecret: () => string, now: number) {
    this.#space = space
    this.#box = box
    this.#newSigningSecret = newSigningSecret
    this.#now = now
  }

  /**
   * @param newSigningSecret  draws a secret for a webhook
   * @param now  milliseconds since 1970
   * @throws VALIDATION_ERROR for a wrong passphrase, and for one where nothing is encrypted
   */
  static async open(
    { secrets, space }: SpaceExportInfo,
    passphrase: string | undefined,
    newSigningSecret: () => string,
    now: number,
  ): Promise<LoadedSecrets> {
    const isEncrypted = typeof secrets === 'object' && secrets !== null
    if (passphrase !== undefined && !isEncrypted) {
      throw invalid('Expected encrypted secrets in the export for --passphrase, found none; leave --passphrase out.')
    }
    const id = String(space?.id)
    const box = passphrase === undefined ? undefined : await SecretBox.open(passphrase, secrets, id)
    const loaded = new LoadedSecrets(id, box, newSigningSecret, now)
    if (box === undefined && isEncrypted) {
      loaded.problems.push({ path: SPACE_FILE, kind: 'left out', message: ENCRYPTED })
    } else if (secrets === 'left out') loaded.notes.push(LEFT_OUT)
    return loaded
  }

  /** @throws VALIDATION_ERROR for an encrypted value that was changed */
  complete(table: string, row: ExportedRow): DumpedRow {
    const column = SECRET_COLUMNS.get(table)
    const secret = column === undefined ? undefined : row[column]
    // Exports from before secrets were encrypted or left out hold them as text.
    if (column === undefined || typeof secret === 'string') return row as DumpedRow
    if (this.#box !== undefined && isSealed(secret)) {
      const place = [this.#space, table, column, ...dumpedKey(table).map((key) => (row[key] ?? null) as string | null)]
      const text = this.#box.unseal(place, secret)
      if (text !== undefined) return { ...row, [column]: text } as DumpedRow
    } else if (this.#box === undefined && (secret === undefined || isSealed(secret))) {
      return { ...row, ...this.#newSecret(table, row) } as DumpedRow
    }
    throw invalid(`Expected a secret of the space in tables/${table}.jsonl, found something else; export it again.`)
  }

  #newSecret(table: string, row: ExportedRow): DumpedRow {
    const key = randomBytes(KEY_BYTES).toString('hex')
    if (table === 'space') return { secret: key }
    if (table === 'address_key') return { file_key: key }
    // The call counts as carried out, so that a retry does not repeat it.
    if (table === 'kept_answer') return { answer: ERASED_RESPONSE }
    const secret = this.#newSigningSecret()
    this.problems.push({
      path: `webhook ${row.id}`,
      kind: 'changed',
      message: `It has a new secret, ${secret}, and is paused: give the secret to the receiver, then run webhooks test ${row.id}.`,
    })
    return { secret, paused_at: this.#now, last_error: 'its secret was not in the export' }
  }
}

const CHANGED = 'the space has new keys, so that cursors, addresses of files and sessions of the pages change'
const LEFT_OUT = `The export contains no secrets: ${CHANGED}.`
const ENCRYPTED = `The secrets in the export are encrypted, and no --passphrase was given: ${CHANGED}.`
