/**
 * The scenarios of the published conformance suite, by the revision of the protocol that asks them of a server: those
 * that pass, and those that need what this server does not have.
 */

export interface Expected {
  /** Scenarios of which no check fails. A call of a fixture tool counts where any answer is good for its checks. */
  passing: readonly string[]
  leftOut: Readonly<Record<string, LeftOut>>
}

/** Why a scenario is left out, and which of its checks fail for that; all its others pass. */
export interface LeftOut {
  reason: string
  checks: readonly string[]
}

const tool = (name: string): string => `needs the fixture tool ${name}`
const leftOut = (reason: string, ...checks: string[]): LeftOut => ({ reason, checks })
const PROMPTS = 'needs fixture prompts'
const RESOURCES = 'needs the fixture resources at test://…'
const LOGGING = 'needs logging/setLevel; this server sends no log messages to clients'
const TASKS = 'needs the fixture tools of the extension io.modelcontextprotocol/tasks, which this server does not offer'

export const SCENARIOS: Readonly<Record<string, Expected>> = {
  '2026-07-28': {
    passing: [
      'caching',
      'prompts-list',
      'resources-list',
      'dns-rebinding-protection',
      'http-header-validation',
      'input-required-result-ignore-extra-params',
      'input-required-result-missing-input-response',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
      'tasks-status-notifications',
      'tools-call-error',
      'tools-call-simple-text',
      'tools-list',
    ],
    leftOut: {
      'completion-complete': leftOut(PROMPTS, 'completion-complete'),
      'http-custom-header-server-validation': leftOut(
        'needs a fixture tool with x-mcp-header',
        'sep-2243-server-decode-base64',
        'sep-2243-server-no-xmcp-tool',
        'sep-2243-server-reject-invalid-param-chars',
        'sep-2243-server-reject-param-mismatch',
        'sep-2243-server-validate-param-match',
      ),
      'input-required-result-basic-elicitation': leftOut(
        tool('test_input_required_result_elicitation'),
        'sep-2322-elicitation-incomplete',
      ),
      'input-required-result-basic-list-roots': leftOut(
        tool('test_input_required_result_list_roots'),
        'sep-2322-list-roots-incomplete',
      ),
      'input-required-result-basic-sampling': leftOut(
        tool('test_input_required_result_sampling'),
        'sep-2322-sampling-incomplete',
      ),
      'input-required-result-capability-check': leftOut(
        tool('test_input_required_result_capabilities'),
        'sep-2322-respect-client-capabilities',
      ),
      'input-required-result-multi-round': leftOut(
        tool('test_input_required_result_multi_round'),
        'sep-2322-multi-round-r1',
      ),
      'input-required-result-multiple-input-requests': leftOut(
        tool('test_input_required_result_multiple_inputs'),
        'sep-2322-multiple-inputs-incomplete',
      ),
      'input-required-result-non-tool-request': leftOut(PROMPTS, 'sep-2322-non-tool-incomplete'),
      'input-required-result-request-state': leftOut(
        tool('test_input_required_result_request_state'),
        'sep-2322-request-state-incomplete',
      ),
      'input-required-result-result-type': leftOut(
        tool('test_input_required_result_elicitation'),
        'sep-2322-result-type-included',
      ),
      'input-required-result-tampered-state': leftOut(
        tool('test_input_required_result_tampered_state'),
        'sep-2322-reject-tampered-state',
      ),
      'json-schema-2020-12': leftOut(tool('json_schema_2020_12_tool'), 'json-schema-2020-12-tool-found'),
      'prompts-get-embedded-resource': leftOut(PROMPTS, 'prompts-get-embedded-resource'),
      'prompts-get-simple': leftOut(PROMPTS, 'prompts-get-simple'),
      'prompts-get-with-args': leftOut(PROMPTS, 'prompts-get-with-args'),
      'prompts-get-with-image': leftOut(PROMPTS, 'prompts-get-with-image'),
      'resources-read-binary': leftOut(RESOURCES, 'resources-read-binary'),
      'resources-read-text': leftOut(RESOURCES, 'resources-read-text'),
      'resources-templates-read': leftOut(RESOURCES, 'resources-templates-read'),
      'server-stateless': leftOut(
        tool('test_missing_capability'),
        'sep-2575-missing-capability-http-400',
        'sep-2575-server-rejects-undeclared-capability',
      ),
      'tasks-capability-negotiation': leftOut(
        TASKS,
        'sep-2663-tasks-methods-non-declaring',
        'tasks-extension-advertised',
        'tasks-per-request-meta-opt-in',
      ),
      'tasks-dispatch-and-envelope': leftOut(
        TASKS,
        'sep-2663-durable-create-strong-consistency',
        'sep-2663-tasks-get-invalid-task-id-32602',
        'tasks-server-directed-creation-no-hint',
      ),
      'tasks-lifecycle': leftOut(
        TASKS,
        'sep-2663-cancel-ack-empty-result',
        'sep-2663-result-type-task-on-create',
        'sep-2663-tasks-get-status-completed',
        'sep-2663-tasks-get-status-failed',
        'sep-2663-tasks-get-status-working',
        'sep-2663-tool-error-uses-completed-status',
        'tasks-cancel-terminal-idempotent-ack',
      ),
      'tasks-mrtr-composition': leftOut(TASKS, 'sep-2663-mrtr-synchronous-before-task-creation'),
      'tasks-mrtr-input': leftOut(
        TASKS,
        'sep-2663-tasks-get-status-input-required',
        'tasks-mrtr-partial-fulfillment',
        'tasks-mrtr-tasks-update-resumes',
      ),
      'tasks-request-headers': leftOut(
        TASKS,
        'sep-2663-routing-headers-accepted-on-tasks-get',
        'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
        'tasks-headers-tolerate-mcp-method-on-tools-call',
      ),
      'tasks-request-state-removal': leftOut(TASKS, 'tasks-request-state-removal-setup'),
      'tasks-required-task-error': leftOut(TASKS, 'sep-2663-server-returns-missing-capability-when-required'),
      'tasks-wire-fields': leftOut(
        TASKS,
        'tasks-no-early-ttl-expiry',
        'tasks-no-related-task-meta-on-inlined-result',
        'tasks-wire-field-renames',
      ),
      'tools-call-audio': leftOut(tool('test_audio_content'), 'tools-call-audio'),
      'tools-call-embedded-resource': leftOut(tool('test_embedded_resource'), 'tools-call-embedded-resource'),
      'tools-call-image': leftOut(tool('test_image_content'), 'tools-call-image'),
      'tools-call-mixed-content': leftOut(tool('test_multiple_content_types'), 'tools-call-mixed-content'),
      'tools-call-with-progress': leftOut(tool('test_tool_with_progress'), 'tools-call-with-progress'),
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
      'tools-call-error',
      'tools-call-simple-text',
      'tools-list',
    ],
    leftOut: {
      'completion-complete': leftOut(PROMPTS, 'completion-complete'),
      'elicitation-sep1034-defaults': leftOut(tool('test_elicitation_sep1034_defaults'), 'elicitation-sep1034-general'),
      'elicitation-sep1330-enums': leftOut(tool('test_elicitation_sep1330_enums'), 'elicitation-sep1330-general'),
      'json-schema-2020-12': leftOut(tool('json_schema_2020_12_tool'), 'json-schema-2020-12-tool-found'),
      'logging-set-level': leftOut(LOGGING, 'logging-set-level'),
      'prompts-get-embedded-resource': leftOut(PROMPTS, 'prompts-get-embedded-resource'),
      'prompts-get-simple': leftOut(PROMPTS, 'prompts-get-simple'),
      'prompts-get-with-args': leftOut(PROMPTS, 'prompts-get-with-args'),
      'prompts-get-with-image': leftOut(PROMPTS, 'prompts-get-with-image'),
      'resources-read-binary': leftOut(RESOURCES, 'resources-read-binary'),
      'resources-read-text': leftOut(RESOURCES, 'resources-read-text'),
      'resources-subscribe': leftOut(RESOURCES, 'resources-subscribe'),
      'resources-templates-read': leftOut(RESOURCES, 'resources-templates-read'),
      'resources-unsubscribe': leftOut(RESOURCES, 'resources-unsubscribe'),
      'server-sse-polling': leftOut(tool('test_reconnection'), 'incoming-sse-event'),
      'tools-call-audio': leftOut(tool('test_audio_content'), 'tools-call-audio'),
      'tools-call-elicitation': leftOut(tool('test_elicitation'), 'tools-call-elicitation'),
      'tools-call-embedded-resource': leftOut(tool('test_embedded_resource'), 'tools-call-embedded-resource'),
      'tools-call-image': leftOut(tool('test_image_content'), 'tools-call-image'),
      'tools-call-mixed-content': leftOut(tool('test_multiple_content_types'), 'tools-call-mixed-content'),
      'tools-call-sampling': leftOut(tool('test_sampling'), 'tools-call-sampling'),
      'tools-call-with-logging': leftOut(tool('test_tool_with_logging'), 'tools-call-with-logging'),
      'tools-call-with-progress': leftOut(tool('test_tool_with_progress'), 'tools-call-with-progress'),
    },
  },
}
