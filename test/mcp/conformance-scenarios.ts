/**
 * The scenarios of the published conformance suite, by the protocol revision that requires them of a server: those that
 * pass, and those that do not apply. The suite is written for a reference server with its own tools, prompts and
 * resources. A scenario that calls one of them says nothing about this server.
 */

export interface Expected {
  /** Scenarios in which no check fails or warns. */
  passing: readonly string[]
  leftOut: Readonly<Record<string, LeftOut>>
}

/** Why a scenario does not apply. All checks that are not listed here pass. */
export interface LeftOut {
  reason: string
  /** The tools of the reference server that the scenario calls. */
  tools: readonly string[]
  /**
   * The checks that say nothing about this server, each with a part of the suite's report. If the check calls a tool,
   * that is this server's response to an unknown tool, so that a check that fails for any other reason is noticed.
   */
  checks: Readonly<Record<string, string>>
}

/** This server's response to a call of an unknown tool without a similar name. */
export const unknownTool = (name: string): string =>
  `Expected a tool of this connection, found ${name}; tools/list shows which there are.`

/**
 * @param checks  by the tool that they call
 * @param others  checks with another report, each with a part of it
 */
const leftOut = (
  reason: string,
  checks: Readonly<Record<string, readonly string[]>>,
  others: Readonly<Record<string, string>> = {},
): LeftOut => {
  const byTool = Object.entries(checks).flatMap(([tool, ids]) => ids.map((id) => [id, unknownTool(tool)] as const))
  return { reason, tools: Object.keys(checks), checks: { ...Object.fromEntries(byTool), ...others } }
}

const needsTool = (tool: string, ...checks: string[]): LeftOut =>
  leftOut(`needs the fixture tool ${tool}`, { [tool]: checks })

const needsPrompt = (prompt: string, check: string): LeftOut =>
  leftOut(`needs the fixture prompt ${prompt}`, {}, { [check]: `project_board), found ${prompt}.` })

const needsResource = (uri: string, check: string): LeftOut =>
  leftOut(`needs the fixture resource ${uri}`, {}, { [check]: `), found ${uri}.` })

const COMPLETION = leftOut(
  'needs completion/complete, which this server does not offer',
  {},
  { 'completion-complete': 'Method not found' },
)
const JSON_SCHEMA = leftOut(
  'needs the fixture tool json_schema_2020_12_tool',
  { json_schema_2020_12_tool: [] },
  { 'json-schema-2020-12-tool-found': "Tool 'json_schema_2020_12_tool' not found." },
)
const LOGGING = 'needs logging/setLevel; this server sends no log messages to clients'
const TASKS = 'needs the fixture tools of the suite; with them, see TASK_SCENARIOS'
const NO_TASK = 'Not testable: no task was created by the preceding step'
const NO_HEADER_TOOL = 'Not testable: server exposes no tool with x-mcp-header annotations'

/**
 * Scenarios of extensions that this server offers and no revision asks for; all pass. Left out is
 * sep-2640-skills-directory, for an option of skills that this server does not declare: each skill is one file.
 */
export const EXTENSION_SCENARIOS = ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest']

const QUESTIONS = 'needs a tool that asks the person while it runs, which none does'
const missingTool = (name: string): string => `Expected a tool of this connection, found ${name}`

/**
 * The scenarios of tasks over a link whose calls wait for approval, with the tools of `task-tools.ts`. What is left out
 * asks for what no task of this server does. The suite skips tasks-status-notifications, whatever the server.
 */
export const TASK_SCENARIOS: Expected = {
  passing: [
    'tasks-capability-negotiation',
    'tasks-request-headers',
    'tasks-request-state-removal',
    'tasks-wire-fields',
  ],
  leftOut: {
    'tasks-dispatch-and-envelope': leftOut(
      QUESTIONS,
      {},
      { 'tasks-result-type-complete-on-non-task-responses': missingTool('confirm_delete') },
    ),
    'tasks-lifecycle': leftOut(
      'needs a call that fails with an error of the protocol after it was proposed, which none does',
      {},
      { 'sep-2663-tasks-get-status-failed': missingTool('protocol_error_job') },
    ),
    'tasks-mrtr-composition': leftOut(
      QUESTIONS,
      {},
      { 'sep-2663-mrtr-synchronous-before-task-creation': missingTool('test_tool_with_task') },
    ),
    'tasks-mrtr-input': leftOut(
      QUESTIONS,
      {},
      {
        'sep-2663-tasks-get-status-input-required': missingTool('confirm_delete'),
        'tasks-mrtr-partial-fulfillment': missingTool('multi_input'),
        'tasks-mrtr-tasks-update-resumes': missingTool('confirm_delete'),
      },
    ),
    'tasks-required-task-error': leftOut(
      'needs a tool that only has tasks; every tool here also answers clients without them',
      {},
      { 'sep-2663-server-returns-missing-capability-when-required': 'returned a successful response' },
    ),
  },
}

export const SCENARIOS: Readonly<Record<string, Expected>> = {
  '2026-07-28': {
    passing: [
      'caching',
      'prompts-list',
      'resources-list',
      'dns-rebinding-protection',
      'http-header-validation',
      'input-required-result-unsupported-methods',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
      'tools-list',
    ],
    leftOut: {
      'completion-complete': COMPLETION,
      'http-custom-header-server-validation': leftOut(
        'needs a fixture tool with x-mcp-header',
        {},
        {
          'sep-2243-server-decode-base64': NO_HEADER_TOOL,
          'sep-2243-server-no-xmcp-tool': NO_HEADER_TOOL,
          'sep-2243-server-reject-invalid-param-chars': NO_HEADER_TOOL,
          'sep-2243-server-reject-param-mismatch': NO_HEADER_TOOL,
          'sep-2243-server-validate-param-match': NO_HEADER_TOOL,
        },
      ),
      'input-required-result-basic-elicitation': needsTool(
        'test_input_required_result_elicitation',
        'sep-2322-elicitation-incomplete',
      ),
      'input-required-result-basic-list-roots': needsTool(
        'test_input_required_result_list_roots',
        'sep-2322-list-roots-incomplete',
      ),
      'input-required-result-basic-sampling': needsTool(
        'test_input_required_result_sampling',
        'sep-2322-sampling-incomplete',
      ),
      'input-required-result-capability-check': needsTool(
        'test_input_required_result_capabilities',
        'sep-2322-respect-client-capabilities',
      ),
      'input-required-result-ignore-extra-params': needsTool(
        'test_input_required_result_elicitation',
        'sep-2322-ignore-unexpected-params',
      ),
      'input-required-result-missing-input-response': leftOut(
        'needs the fixture tool test_input_required_result_elicitation',
        { test_input_required_result_elicitation: [] },
        { 'sep-2322-missing-response-rerequests': 'Server returned JSON-RPC error instead of re-requesting' },
      ),
      'input-required-result-multi-round': leftOut(
        'needs the fixture tool test_input_required_result_multi_round',
        { test_input_required_result_multi_round: [] },
        { 'sep-2322-multi-round-r1': 'Expected InputRequiredResult with inputRequests and requestState' },
      ),
      'input-required-result-multiple-input-requests': needsTool(
        'test_input_required_result_multiple_inputs',
        'sep-2322-multiple-inputs-incomplete',
      ),
      'input-required-result-non-tool-request': needsPrompt(
        'test_input_required_result_prompt',
        'sep-2322-non-tool-incomplete',
      ),
      'input-required-result-request-state': needsTool(
        'test_input_required_result_request_state',
        'sep-2322-request-state-incomplete',
      ),
      'input-required-result-result-type': needsTool(
        'test_input_required_result_elicitation',
        'sep-2322-result-type-included',
      ),
      'input-required-result-tampered-state': leftOut(
        'needs the fixture tool test_input_required_result_tampered_state',
        { test_input_required_result_tampered_state: [] },
        { 'sep-2322-reject-tampered-state': 'Prerequisite failed: could not get initial InputRequiredResult' },
      ),
      // Passes with any protocol error.
      'input-required-result-validate-input': needsTool(
        'test_input_required_result_elicitation',
        'sep-2322-error-on-protocol-error',
        'sep-2322-validate-input-responses',
      ),
      'json-schema-2020-12': JSON_SCHEMA,
      'prompts-get-embedded-resource': needsPrompt(
        'test_prompt_with_embedded_resource',
        'prompts-get-embedded-resource',
      ),
      'prompts-get-simple': needsPrompt('test_simple_prompt', 'prompts-get-simple'),
      'prompts-get-with-args': needsPrompt('test_prompt_with_arguments', 'prompts-get-with-args'),
      'prompts-get-with-image': needsPrompt('test_prompt_with_image', 'prompts-get-with-image'),
      'resources-read-binary': needsResource('test://static-binary', 'resources-read-binary'),
      'resources-read-text': needsResource('test://static-text', 'resources-read-text'),
      'resources-templates-read': needsResource('test://template/123/data', 'resources-templates-read'),
      'server-stateless': leftOut(
        'needs the fixture tools test_missing_capability, test_streaming_elicitation and test_logging_tool',
        {
          test_missing_capability: ['sep-2575-server-rejects-undeclared-capability'],
          test_streaming_elicitation: ['sep-2575-http-server-no-independent-requests-on-stream'],
          test_logging_tool: ['sep-2575-server-no-log-without-loglevel'],
        },
        {
          'sep-2575-missing-capability-http-400':
            "Not testable: server does not list the diagnostic tool 'test_missing_capability' in tools/list",
        },
      ),
      'tasks-capability-negotiation': leftOut(TASKS, {
        slow_compute: ['sep-2663-server-rejects-undeclared-client', 'tasks-per-request-meta-opt-in'],
      }),
      'tasks-dispatch-and-envelope': leftOut(TASKS, {
        failing_job: ['tasks-server-directed-creation-no-hint'],
        greet: ['sep-2663-legacy-task-param-ignored', 'tasks-result-type-complete-on-non-task-responses'],
        slow_compute: ['sep-2663-durable-create-strong-consistency', 'tasks-immediate-result-shortcut'],
      }),
      'tasks-lifecycle': leftOut(
        TASKS,
        {
          failing_job: ['sep-2663-tool-error-uses-completed-status'],
          greet: ['tasks-sync-tool-call'],
          protocol_error_job: ['sep-2663-tasks-get-status-failed'],
          slow_compute: [
            'sep-2663-cancel-ack-empty-result',
            'sep-2663-result-type-task-on-create',
            'tasks-cancel-terminal-idempotent-ack',
          ],
        },
        { 'sep-2663-tasks-get-status-completed': NO_TASK, 'sep-2663-tasks-get-status-working': NO_TASK },
      ),
      'tasks-mrtr-composition': leftOut(TASKS, {
        test_tool_with_task: ['sep-2663-mrtr-synchronous-before-task-creation'],
      }),
      'tasks-mrtr-input': leftOut(TASKS, {
        confirm_delete: ['sep-2663-tasks-get-status-input-required', 'tasks-mrtr-tasks-update-resumes'],
        multi_input: ['tasks-mrtr-partial-fulfillment'],
      }),
      'tasks-request-headers': leftOut(
        TASKS,
        {
          greet: ['tasks-headers-tolerate-mcp-method-on-tools-call'],
          slow_compute: ['sep-2663-routing-headers-accepted-on-tasks-get'],
        },
        { 'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get': 'routing-task fixture from Check 2 unavailable' },
      ),
      'tasks-request-state-removal': leftOut(TASKS, { slow_compute: ['tasks-request-state-removal-setup'] }),
      'tasks-required-task-error': leftOut(
        TASKS,
        { failing_job: [] },
        {
          'sep-2663-server-returns-missing-capability-when-required':
            'tools/call for failing_job returned error code -32602; spec requires -32021.',
        },
      ),
      'tasks-status-notifications': leftOut(
        'is skipped by the suite, whatever the server',
        {},
        { 'tasks-status-notifications': 'Skipped: SEP-2663 delivers notifications/tasks' },
      ),
      'tasks-wire-fields': leftOut(
        TASKS,
        { slow_compute: ['tasks-no-related-task-meta-on-inlined-result', 'tasks-wire-field-renames'] },
        { 'tasks-no-early-ttl-expiry': NO_TASK },
      ),
      'tools-call-audio': needsTool('test_audio_content', 'tools-call-audio'),
      'tools-call-embedded-resource': needsTool('test_embedded_resource', 'tools-call-embedded-resource'),
      'tools-call-error': needsTool('test_error_handling', 'tools-call-error'),
      'tools-call-image': needsTool('test_image_content', 'tools-call-image'),
      'tools-call-mixed-content': needsTool('test_multiple_content_types', 'tools-call-mixed-content'),
      'tools-call-simple-text': needsTool('test_simple_text', 'tools-call-simple-text'),
      'tools-call-with-progress': needsTool('test_tool_with_progress', 'tools-call-with-progress'),
    },
  },
  '2025-11-25': {
    passing: [
      'prompts-list',
      'resources-list',
      'dns-rebinding-protection',
      'ping',
      'server-initialize',
      'server-session-lifecycle',
      'server-sse-multiple-streams',
      'tools-list',
    ],
    leftOut: {
      'completion-complete': COMPLETION,
      'elicitation-sep1034-defaults': needsTool('test_elicitation_sep1034_defaults', 'elicitation-sep1034-general'),
      'elicitation-sep1330-enums': needsTool('test_elicitation_sep1330_enums', 'elicitation-sep1330-general'),
      'json-schema-2020-12': JSON_SCHEMA,
      'logging-set-level': leftOut(LOGGING, {}, { 'logging-set-level': 'Method not found' }),
      'prompts-get-embedded-resource': needsPrompt(
        'test_prompt_with_embedded_resource',
        'prompts-get-embedded-resource',
      ),
      'prompts-get-simple': needsPrompt('test_simple_prompt', 'prompts-get-simple'),
      'prompts-get-with-args': needsPrompt('test_prompt_with_arguments', 'prompts-get-with-args'),
      'prompts-get-with-image': needsPrompt('test_prompt_with_image', 'prompts-get-with-image'),
      'resources-read-binary': needsResource('test://static-binary', 'resources-read-binary'),
      'resources-read-text': needsResource('test://static-text', 'resources-read-text'),
      'resources-subscribe': needsResource('test://watched-resource', 'resources-subscribe'),
      'resources-templates-read': needsResource('test://template/123/data', 'resources-templates-read'),
      'resources-unsubscribe': needsResource('test://watched-resource', 'resources-unsubscribe'),
      // The response of the unknown tool is the only event of the stream.
      'server-sse-polling': leftOut(
        'needs the fixture tool test_reconnection, whose stream is broken off and resumed',
        { test_reconnection: [] },
        {
          'outgoing-request': '"params":{"name":"test_reconnection","arguments":{}}',
          'server-sse-priming-event': '"eventCount":1}',
          'server-sse-retry-field': '{"hasRetryField":false}',
        },
      ),
      'tools-call-audio': needsTool('test_audio_content', 'tools-call-audio'),
      'tools-call-elicitation': needsTool('test_elicitation', 'tools-call-elicitation'),
      'tools-call-embedded-resource': needsTool('test_embedded_resource', 'tools-call-embedded-resource'),
      'tools-call-error': needsTool('test_error_handling', 'tools-call-error'),
      'tools-call-image': needsTool('test_image_content', 'tools-call-image'),
      'tools-call-mixed-content': needsTool('test_multiple_content_types', 'tools-call-mixed-content'),
      'tools-call-sampling': needsTool('test_sampling', 'tools-call-sampling'),
      'tools-call-simple-text': needsTool('test_simple_text', 'tools-call-simple-text'),
      'tools-call-with-logging': leftOut(LOGGING, {}, { 'tools-call-with-logging': 'Method not found' }),
      'tools-call-with-progress': needsTool('test_tool_with_progress', 'tools-call-with-progress'),
    },
  },
}
