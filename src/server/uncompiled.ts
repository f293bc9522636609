/**
 * From here on zod reads a schema as it stands, where else it writes code for it at its first use: that is worth it for
 * one that checks thousands of blocks, and would hold up the first answer for some milliseconds with those of the SDK.
 * What loads the tools ends it.
 */
import { z } from 'zod'

z.config({ jitless: true })
