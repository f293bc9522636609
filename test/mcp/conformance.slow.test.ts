/** The published conformance suite of the Model Context Protocol, against the sources. */
import { conformance } from './conformance-suite.ts'

conformance()
