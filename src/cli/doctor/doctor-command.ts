/** The command `doctor`: diagnoses, repairs on request, diagnoses again, and prints everything. */
import { jsonForTerminal } from '../../base/control-characters.ts'
import { diagnoseSpace, EXIT_CODES, formatFindings, overallState } from './findings.ts'
import { findHosts, type HostContext } from './host-findings.ts'

export interface DoctorResult {
  output: string
  exitCode: number
}

/**
 * @param options  `repair`: repair what can be repaired without loss; `json`: `{ state, repairs, findings }`
 * @param hosts  where the hosts of this user are
 */
export async function runDoctor(
  file: string,
  { repair, json }: { repair: boolean; json: boolean },
  hosts: HostContext,
): Promise<DoctorResult> {
  let findings = await diagnoseSpace(file)
  let repairs: string[] = []
  if (repair && findings.some(({ fault }) => fault === 'repairable')) {
    const { repairSpace } = await import('./repair.ts')
    repairs = await repairSpace(file, findings)
    findings = await diagnoseSpace(file)
  }
  const state = overallState(findings)
  findings = [...findings, ...findHosts(file, hosts)]
  const output = json
    ? `${jsonForTerminal({ state, repairs, findings }, 2)}\n`
    : `${repairs.map((repair) => `${repair}\n`).join('')}${formatFindings(findings)}`
  return { output, exitCode: EXIT_CODES[state] }
}
