/** The blocks that clients send. Only their shape has been checked. */
import type { BlockType, TaskInfo } from '../../markdown/block.ts'
import type { Title } from '../../markdown/inline-title.ts'
import type { TableRowChange } from '../../markdown/table-cells.ts'

/** The block fields that a client may set. Only their shape has been checked. `null` clears a field. */
export interface BlockFieldsInput {
  type?: BlockType | undefined
  markdown?: string | undefined
  /** For updates: the Markdown as the client last read or wrote it. The second form is an alias. */
  expected?: { markdown?: string | undefined } | undefined
  expectedMarkdown?: string | undefined
  /** For updates: the Markdown that the new one was made from, to merge it with what others changed since. */
  base?: string | undefined
  title?: string | Title | undefined
  rawCode?: string | undefined
  indentationLevel?: number | undefined
  depth?: number | null | undefined
  color?: string | null | undefined
  taskInfo?: Clearable<TaskInfo> | undefined
  /** For updates of a table. */
  rows?: readonly TableRowChange[] | undefined
  [field: string]: unknown
}

type Clearable<Fields> = { [Key in keyof Fields]?: Fields[Key] | null | undefined }

export interface NewBlock extends BlockFieldsInput {
  type: BlockType
  content?: NewBlock[] | undefined
}
