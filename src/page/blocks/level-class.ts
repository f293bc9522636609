/** Also runs in browsers. */
import { MAX_INDENTATION } from '../../markdown/block.ts'

/** The classes that indent a block of an edited page. */
export const levelClass = (level: number): string => `${level > MAX_INDENTATION ? 'deep ' : ''}level-${level}`
