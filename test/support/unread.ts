/**
 * Standard input and output of started programs that a test neither writes nor reads: two files without names. The
 * usual `ignore` opens `/dev/null`, which not every user may open on every machine.
 */
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'scriptorium-unread-'))

/** A file descriptor for output that no one reads. */
export const UNREAD: number = openSync(join(folder, 'output'), 'a', 0o600)

/** A file descriptor for input that is empty. */
export const NO_INPUT: number = openSync(join(folder, 'input'), 'a+', 0o600)

rmSync(folder, { recursive: true })
