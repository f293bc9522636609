/** The command `doctor`: looks, mends where that is asked for and looks again, and says all of it. */
import { jsonForTerminal } from '../control-characters.ts'
import { EXIT_CODES, examineSpace, findingsText, stateOf } from './findings.ts'

export interface DoctorResult {
  output: string
  exitCode: number
}

/** @param options  `repair`: mend what can be mended without loss; `json`: `{ state, repairs, findings }` */
export async function runDoctor(
  file: string,
  { repair, json }: { repair: boolean; json: boolean },
): Promise<DoctorResult> {
  let findings = await examineSpace(file)
  let repairs: string[] = []
  if (repair && findings.some(({ fault }) => fault === 'repairable')) {
    const { repairSpace } = await import('./repair.ts')
    repairs = await repairSpace(file, findings)
    findings = await examineSpace(file)
  }
  const state = stateOf(findings)
  const output = json
    ? `${jsonForTerminal({ state, repairs, findings }, 2)}\n`
    : `${repairs.map((done) => `${done}\n`).join('')}${findingsText(findings)}`
  return { output, exitCode: EXIT_CODES[state] }
}
