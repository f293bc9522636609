/** The guards of what a person approves. */
import type { Mutation } from '../mutated-sources.ts'

export const APPROVALS: readonly Mutation[] = [
  // 24: a person can approve only what the page has shown in full, and what happens is what was shown.
  {
    file: 'src/page/calls/readable-line.ts',
    find: 'if (isCode(line)) return',
    replace: 'if (isCode(line) && shown === "") return',
  },
  {
    file: 'src/base/unseen-characters.ts',
    find: 'export const markUnseen = (text: string): string => replaceUnseen(',
    replace: 'export const markUnseen = (text: string): string => (text as never) || replaceUnseen(',
  },
  {
    file: 'src/space/history/document-diff.ts',
    find: "details.get(document)?.[isWritten ? 'beside' : 'all'] ?? []",
    replace: "details.get(document)?.[isWritten ? 'beside' : 'all'].slice(0, 0) ?? []",
  },
  {
    file: 'src/space/proposals/asked-arguments.ts',
    find: 'return sections.join(',
    replace: 'return sections.slice(0, 0).join(',
  },
  {
    file: 'src/page/calls/proposals.ts',
    find: 'if (next !== undefined || item.fingerprint === undefined) return false',
    replace: "if (String(size) !== '') return true",
  },
  {
    file: 'src/space/proposals/approve-proposal.ts',
    find: 'if (!isAgreed && !space.isRolledBack) throw notAgreed()',
    replace: '',
  },
  {
    file: 'src/space/proposals/approve-proposal.ts',
    find: 'if (isAgreed && agreed !== fingerprint) throw fingerprintMismatch(row, rehearsal, fingerprint)',
    replace: '',
  },
  {
    file: 'src/cli/proposals-command.ts',
    find: ', instead)) ? fingerprint',
    replace: ', instead).catch(() => true)) ? fingerprint',
  },
]
