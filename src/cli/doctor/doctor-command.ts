/** The command `doctor`: diagnoses, repairs on request, diagnoses again, and prints everything. */
import { isDatabaseAddress } from '../../../storage/postgres/address.ts'
import { jsonForTerminal } from '../../base/control-characters.ts'
import { diagnoseDatabaseSpace, repairDatabaseSpace } from './database-findings.ts'
import { diagnoseSpace, EXIT_CODES, formatFindings, overallState } from './findings.ts'
import { findHosts, type HostContext } from './host-findings.ts'

export interface DoctorResult {
  output: string
  exitCode: number
}

/**
 * @param file  of the space, or its address in a database, where only counts are repaired
 * @param options  `repair`: repair what can be repaired without loss; `json`: print `{ state, repairs, findings }`;
 *   `filesBucket`: the address of the bucket with the files of a space in a database
 * @param hosts  the configurations of this user's hosts
 */
export async function runDoctor(
  file: string,
  { repair, json, filesBucket }: { repair: boolean; json: boolean; filesBucket?: string },
  hosts: HostContext,
): Promise<DoctorResult> {
  const isFile = !isDatabaseAddress(file)
  const diagnose = () => (isFile ? diagnoseSpace(file) : diagnoseDatabaseSpace(file, filesBucket))
  let findings = await diagnose()
  let repairs: string[] = []
  if (repair && findings.some(({ fault }) => fault === 'repairable')) {
    const { repairSpace } = await import('./repair.ts')
    repairs = await (isFile ? repairSpace(file, findings) : repairDatabaseSpace(file))
    findings = await diagnose()
  }
  const state = overallState(findings)
  if (isFile) findings = [...findings, ...findHosts(file, hosts)]
  const output = json
    ? `${jsonForTerminal({ state, repairs, findings }, 2)}\n`
    : `${repairs.map((repair) => `${repair}\n`).join('')}${formatFindings(findings)}`
  return { output, exitCode: EXIT_CODES[state] }
}
