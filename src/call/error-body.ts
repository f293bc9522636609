/** The response of a failed call, and its entry in the log. */
import { randomUUID } from 'node:crypto'
import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { StorageFault } from '../../storage/storage-fault.ts'
import { type ErrorBody, messageOf, ScriptoriumError } from '../base/errors.ts'
import { DiskFaultLog } from './disk-fault-log.ts'
import { noteInRequest } from './request-notes.ts'

/** Faults of the disk that were logged, for all spaces of this process. */
const diskFaultLog = new DiskFaultLog()

/**
 * Logs that a response was cut off, once a minute for each cause, since a client may repeat the request often.
 * @param what  the response, such as `the file 03ac67…`
 */
export function noteCutOff(error: unknown, what: string, log: (line: string) => void, faults = diskFaultLog): void {
  const known = error instanceof ScriptoriumError ? undefined : toDiskError(error)
  const code = error instanceof ScriptoriumError ? error.code : (known?.code ?? 'INTERNAL_ERROR')
  const reason = error instanceof StorageFault ? error.reason : (known?.reason ?? messageOf(error))
  faults.record({ code, reason: `The answer with ${what} was cut off: ${reason}` }, log)
}

/**
 * Builds the response of a failed call. The cause of a disk or database fault is logged once a minute. The cause of a
 * bug is logged only, under an ID that the response contains.
 */
export function toErrorBody(error: unknown, log: (line: string) => void, faults = diskFaultLog): ErrorBody {
  const body = errorBodyOf(error, log, faults)
  noteInRequest({ code: body.code })
  return body
}

function errorBodyOf(error: unknown, log: (line: string) => void, faults: DiskFaultLog): ErrorBody {
  if (error instanceof StorageFault) faults.record(error, log)
  if (error instanceof ScriptoriumError) return error.body
  const fault = toDiskError(error)
  if (fault !== undefined) {
    faults.record(fault, log)
    return fault.body
  }
  const id = randomUUID()
  log(`${id} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return {
    error: `Expected to answer, found a fault of this server; its log has it under ${id}. Nothing was written.`,
    code: 'INTERNAL_ERROR',
  }
}
