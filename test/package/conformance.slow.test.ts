/** The published conformance suite of the Model Context Protocol, against the installed package. */
import { conformance } from '../mcp/conformance-suite.ts'
import { installedProgram } from '../support/installed-package.ts'

conformance(installedProgram)
